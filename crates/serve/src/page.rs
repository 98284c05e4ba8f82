//! The page: files that are part of the program.

use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use crate::problem::Problem;

const SCRIPT: &str = "text/javascript; charset=utf-8";

macro_rules! file {
    ($name:literal, $kind:expr) => {
        (concat!("/", $name), $kind, include_str!(concat!("../page/", $name)))
    };
}

/// Address, type and text of each file.
const FILES: [(&str, &str, &str); 20] = [
    ("/", "text/html; charset=utf-8", include_str!("../page/index.html")),
    file!("style.css", "text/css; charset=utf-8"),
    file!("icon.svg", "image/svg+xml"),
    file!("main.js", SCRIPT),
    file!("api.js", SCRIPT),
    file!("ask.js", SCRIPT),
    file!("board.js", SCRIPT),
    file!("element.js", SCRIPT),
    file!("game.js", SCRIPT),
    file!("horizon.js", SCRIPT),
    file!("lessons.js", SCRIPT),
    file!("opponent.js", SCRIPT),
    file!("panel.js", SCRIPT),
    file!("review.js", SCRIPT),
    file!("settings.js", SCRIPT),
    file!("share.js", SCRIPT),
    file!("solve.js", SCRIPT),
    file!("study.js", SCRIPT),
    file!("why.js", SCRIPT),
    file!("words.js", SCRIPT),
];

/// The addresses of the files; any other address is not found.
pub(crate) fn routes<S: Clone + Send + Sync + 'static>() -> Router<S> {
    let add = |routes: Router<S>, (path, kind, text): (&'static str, &'static str, &'static str)| {
        routes.route(path, get(move || async move { ([(CONTENT_TYPE, kind)], text) }))
    };
    FILES.into_iter().fold(Router::new(), add).fallback(missing)
}

async fn missing() -> Response {
    Problem::not_found().into_response()
}

#[cfg(test)]
mod tests {
    use super::FILES;

    /// The page is light and asks nobody else for anything.
    #[test]
    fn stands_alone() {
        let bytes: usize = FILES.iter().map(|(_, _, text)| text.len()).sum();
        assert!(bytes < 160_000, "the page weighs {bytes} bytes");
        for (path, _, text) in FILES {
            let text = text.replace("http://www.w3.org/2000/svg", "");
            assert!(!text.contains("http:") && !text.contains("https:") && !text.contains("//cdn"), "{path}");
        }
    }
}
