//! quinn's transport, with what would spoil an experiment switched off: packets have one size, flow control limits only where a
//! window is asked for, and an outage of any length is survived. Loss detection, acknowledgements and pacing are as quinn ships them.
use crate::failure::{because, Failure};
use crate::options::{Qlog, LARGEST_WINDOW};
use crate::qlog::QlogFile;
use crate::wire::Wire;
use quinn_proto::congestion::ControllerFactory;
use quinn_proto::{QlogConfig, TransportConfig, VarInt};
use std::sync::Arc;
use std::time::Instant;

/// `window`: so much may be on its way to this end, in bytes of data.
pub fn transport(wire: Wire, segmentation_offload: bool, window: u32) -> TransportConfig {
    let mut transport = TransportConfig::default();
    let payload = wire.payload() as u16;
    transport
        .initial_mtu(payload)
        .min_mtu(payload)
        .mtu_discovery_config(None)
        .stream_receive_window(VarInt::from_u32(window))
        .receive_window(VarInt::from_u32(window))
        .max_idle_timeout(None)
        .enable_segmentation_offload(segmentation_offload);
    transport
}

/// The sender's side of it.
pub fn sender_transport(
    wire: Wire,
    segmentation_offload: bool,
    controller: Arc<dyn ControllerFactory + Send + Sync>,
    qlog: Option<&Qlog>,
    title: &str,
    now: Instant,
) -> Result<TransportConfig, Failure> {
    let mut transport = transport(wire, segmentation_offload, LARGEST_WINDOW);
    transport.congestion_controller_factory(controller);
    if let Some(Qlog { path, limit_bytes }) = qlog {
        let file = QlogFile::create(path, *limit_bytes)
            .map_err(|e| Failure::BadInput(format!("--qlog {}: {e}", path.display())))?;
        let mut config = QlogConfig::default();
        config.writer(Box::new(file)).title(Some(title.into())).start_time(now);
        let stream = config.into_stream();
        if stream.is_none() {
            return Err(because("--qlog")("the header could not be written"));
        }
        transport.qlog_stream(stream);
    }
    Ok(transport)
}
