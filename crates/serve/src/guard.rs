//! The guard: only programs and pages of this machine may ask.
//!
//! The server listens on 127.0.0.1, but a page of any site that the user visits runs on this machine too. Two things
//! keep such pages out. A name that its owner points at 127.0.0.1 (DNS rebinding) arrives in the `Host` header, and only
//! `localhost` and `127.0.0.1` are answered. And requests that a browser makes for another site say so, in `Origin` or
//! in `Sec-Fetch-Site`. The pages of one site may ask all the same if the user says so.

use std::net::SocketAddr;

use axum::extract::{Request, State};
use axum::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN, CACHE_CONTROL,
    CONTENT_SECURITY_POLICY, HOST, ORIGIN, REFERRER_POLICY, VARY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::problem::Problem;
use crate::service::Service;

/// The page may load its own files and ask this server, nothing else.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
                      connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Answers only requests from this machine, and says how a browser may use the answer.
pub(crate) async fn guard(State(service): State<Service>, request: Request, next: Next) -> Response {
    let is_api = request.uri().path().starts_with("/api/");
    let head = check_size(&request, service.limits.head_bytes);
    let allowed = service.allowed.as_ref().filter(|origin| request.headers().get(ORIGIN) == Some(*origin));
    let checked = head.and_then(|()| check(request.headers(), service.address, is_api, allowed));
    let mut response = match checked {
        // Browsers ask before they send JSON for another site.
        Ok(()) if allowed.is_some() && request.method() == Method::OPTIONS => StatusCode::NO_CONTENT.into_response(),
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "no-referrer"),
        // A new version of the program has a new page.
        (CACHE_CONTROL, if is_api { "no-store" } else { "no-cache" }),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if let Some(origin) = &service.allowed {
        let policy = POLICY.replace("ancestors 'none'", &format!("ancestors {}", origin.to_str().unwrap_or_default()));
        headers.extend(HeaderValue::try_from(policy).ok().map(|policy| (CONTENT_SECURITY_POLICY, policy)));
        headers.insert(VARY, HeaderValue::from_static("origin"));
    }
    if let Some(origin) = allowed {
        headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
        for (name, value) in [
            (ACCESS_CONTROL_ALLOW_METHODS, "GET, POST, DELETE"),
            (ACCESS_CONTROL_ALLOW_HEADERS, "content-type"),
            // For pages that come from other machines.
            (HeaderName::from_static("access-control-allow-private-network"), "true"),
        ] {
            headers.insert(name, HeaderValue::from_static(value));
        }
    }
    response
}

/// Refuses a head that is too large. The parser of requests does that, too, but not before its buffer is full.
fn check_size(request: &Request, most: usize) -> Result<(), Problem> {
    let line = request.method().as_str().len() + request.uri().to_string().len() + " HTTP/1.1\r\n ".len();
    let fields = request.headers().iter().map(|(name, value)| name.as_str().len() + value.len() + ": \r\n".len());
    if line + fields.sum::<usize>() <= most {
        return Ok(());
    }
    let error = format!("the head of the request is larger than {most} bytes: send the question in the body");
    Err(Problem::new(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, "too_large", error))
}

fn check(headers: &HeaderMap, address: SocketAddr, is_api: bool, allowed: Option<&HeaderValue>) -> Result<(), Problem> {
    let hosts = [address.to_string(), format!("localhost:{}", address.port())];
    let is_ours = |host: &str| hosts.iter().any(|ours| ours.eq_ignore_ascii_case(host));
    let named: Vec<&HeaderValue> = headers.get_all(HOST).iter().collect();
    match named[..] {
        [host] if host.to_str().is_ok_and(is_ours) => {}
        _ => {
            let (hosts, port) = (hosts.join(" or "), address.port());
            let error = format!(
                "this server answers as {hosts} only; a tunnel to it needs the same port at both ends: \
                 ssh -L {port}:127.0.0.1:{port} HOST"
            );
            return Err(Problem::new(StatusCode::MISDIRECTED_REQUEST, "foreign_host", error));
        }
    }
    // A field may be there several times; none of them may be foreign.
    let all = |name: HeaderName, is_fine: &dyn Fn(&str) -> bool| {
        headers.get_all(name).iter().all(|value| value.to_str().is_ok_and(is_fine))
    };
    let is_own = |origin: &str| origin.strip_prefix("http://").is_some_and(is_ours);
    let may_ask = all(ORIGIN, &|origin| is_own(origin) || allowed.is_some_and(|allowed| allowed == origin));
    // Other sites may link to the page, not use the API.
    let is_own_site = all(HeaderName::from_static("sec-fetch-site"), &|site| matches!(site, "same-origin" | "none"));
    if !may_ask || (is_api && allowed.is_none() && !is_own_site) {
        let error = "pages of other sites may not ask this server";
        return Err(Problem::new(StatusCode::FORBIDDEN, "foreign_origin", error));
    }
    Ok(())
}
