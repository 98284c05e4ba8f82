//! Listening on 127.0.0.1.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::panic::catch_unwind;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::http::HeaderValue;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{Notify, Semaphore};
use tokio::time::{sleep, timeout};
use tokio_io_timeout::TimeoutStream;

use crate::limits::Limits;
use crate::oracle::Oracle;
use crate::router::router;

/// Longer than any program runs.
const FOR_EVER: Duration = Duration::from_secs(1 << 32);

/// A server that has its port.
pub struct Server {
    listener: std::net::TcpListener,
    address: SocketAddr,
    limits: Limits,
    allowed: Option<HeaderValue>,
    end: End,
}

/// Ends a server from another thread.
#[derive(Clone, Default)]
pub struct End(Arc<Notify>);

impl End {
    /// Has the server end as soon as possible.
    pub fn now(&self) {
        self.0.notify_one();
    }
}

impl Server {
    /// Takes a port of 127.0.0.1, any free one if `port` is 0.
    ///
    /// # Errors
    /// If the port is taken or may not be used.
    pub fn bind(port: u16, limits: Limits) -> io::Result<Self> {
        let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        listener.set_nonblocking(true)?;
        Ok(Self { address: listener.local_addr()?, listener, limits, allowed: None, end: End::default() })
    }

    /// Lets the pages of a site, such as `https://notes.example`, ask this server and show its page in a frame.
    ///
    /// # Errors
    /// If `origin` is no origin: a scheme and a host, with nothing behind them.
    pub fn allow(&mut self, origin: &str) -> Result<(), String> {
        let host = origin.strip_prefix("https://").or(origin.strip_prefix("http://")).unwrap_or_default();
        let is_host = |c: char| c.is_ascii_alphanumeric() || ".-:".contains(c);
        if host.is_empty() || !host.chars().all(is_host) {
            return Err(format!("'{origin}' is no origin: give a scheme and a host, such as https://notes.example"));
        }
        self.allowed = Some(HeaderValue::from_str(origin).map_err(|error| error.to_string())?);
        Ok(())
    }

    /// The address that the server listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// That which ends the server.
    pub fn end(&self) -> End {
        self.end.clone()
    }

    /// Answers requests until [`End::now`]; then work that is in progress has some time to end, and what it holds is dropped.
    ///
    /// # Errors
    /// If the threads of the server cannot be started, or it cannot listen.
    pub fn run(self, oracle: Arc<dyn Oracle>) -> io::Result<()> {
        let runtime = start_threads()?;
        let (end, patience) = (self.end(), self.limits.patience);
        let listener = {
            let _within = runtime.enter();
            TcpListener::from_std(self.listener)?
        };
        runtime.spawn(accept(listener, router(oracle, self.limits, self.address, self.allowed), self.limits));
        runtime.block_on(end.0.notified());
        runtime.shutdown_timeout(patience);
        Ok(())
    }
}

/// Starts the threads that serve, and one that answers: it stays, so questions that find no other thread wait for it.
fn start_threads() -> io::Result<Runtime> {
    let start = || {
        let runtime = Builder::new_multi_thread().enable_all().thread_keep_alive(FOR_EVER).build()?;
        runtime.block_on(runtime.spawn_blocking(|| ())).map_err(io::Error::other)?;
        Ok(runtime)
    };
    // Where the system refuses a thread, the runtime panics.
    catch_unwind(start).unwrap_or_else(|_| Err(io::Error::other("cannot start the threads of the server")))
}

/// Serves all connections that come.
async fn accept(listener: TcpListener, router: axum::Router, limits: Limits) {
    let service = TowerToHyperService::new(router);
    let room = Arc::new(Semaphore::new(limits.connections));
    loop {
        // The semaphore is never closed.
        let Ok(place) = Arc::clone(&room).acquire_owned().await else { return };
        let Ok((stream, _)) = listener.accept().await else {
            // Too many open files, or a client that is gone already.
            sleep(Duration::from_millis(50)).await;
            continue;
        };
        let service = service.clone();
        tokio::spawn(async move {
            serve(stream, service, limits).await;
            drop(place);
        });
    }
}

/// Serves a connection until the client leaves it, reads or sends nothing, or its time is over. A broken connection concerns that
/// client alone.
async fn serve(stream: TcpStream, service: TowerToHyperService<axum::Router>, limits: Limits) {
    let _ = stream.set_nodelay(true);
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(limits.patience));
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(limits.patience).max_buf_size(limits.head_bytes);
    let mut connection = pin!(http.serve_connection(TokioIo::new(Box::pin(stream)), service));
    if timeout(limits.lifetime, connection.as_mut()).await.is_err() {
        // The request that is being answered is the last one.
        connection.as_mut().graceful_shutdown();
        let _ = timeout(limits.patience, connection).await;
    }
}
