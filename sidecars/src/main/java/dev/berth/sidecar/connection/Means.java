package dev.berth.sidecar.connection;

import dev.berth.csi.client.ControllerCalls;
import dev.berth.kube.api.Api;
import dev.berth.kube.event.EventRecorder;
import dev.berth.kube.time.Time;

/// What the sidecars of one driver act by.
///
/// @param api whose writes are in the caches before their answer
/// @param events in the driver's name
/// @param provisioning calls to the driver that create and delete, each with a deadline (PROV-27)
/// @param attaching calls to the driver that attach and detach, each with a deadline (ATT-31)
/// @param identity of this process, put on each volume (PROV-07)
public record Means(
    Api api,
    EventRecorder events,
    Time time,
    ControllerCalls provisioning,
    ControllerCalls attaching,
    String identity) {}
