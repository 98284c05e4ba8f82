//! Listening on 127.0.0.1.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};
use tokio_io_timeout::TimeoutStream;

use crate::limits::Limits;
use crate::oracle::Oracle;
use crate::router::router;

/// A server that has its port.
pub struct Server {
    listener: std::net::TcpListener,
    address: SocketAddr,
    limits: Limits,
}

impl Server {
    /// Takes a port of 127.0.0.1, any free one if `port` is 0.
    ///
    /// # Errors
    /// If the port is taken or may not be used.
    pub fn bind(port: u16, limits: Limits) -> io::Result<Self> {
        let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        listener.set_nonblocking(true)?;
        Ok(Self { address: listener.local_addr()?, listener, limits })
    }

    /// The address that the server listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers requests until the process ends.
    ///
    /// # Errors
    /// If the threads of the server cannot be started.
    pub fn run(self, oracle: Arc<dyn Oracle>) -> io::Result<()> {
        tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(self.accept(oracle))
    }

    async fn accept(self, oracle: Arc<dyn Oracle>) -> io::Result<()> {
        let Self { listener, address, limits } = self;
        let listener = TcpListener::from_std(listener)?;
        let service = TowerToHyperService::new(router(oracle, limits, address));
        let room = Arc::new(Semaphore::new(limits.connections));
        loop {
            // The semaphore is never closed.
            let Ok(place) = Arc::clone(&room).acquire_owned().await else { return Ok(()) };
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
