/// The API server over HTTPS: Fabric8's configuration, the JDK's connections, our own JSON trees.
///
/// Always: at most 64 requests in flight for one client, besides watches (K8S-04, `HttpApiTest`),
/// which have clients of their own (`ManyWatchesTest`). Never: a retry behind the caller's back,
/// since only he knows whether his request may be made twice.
@NullMarked
package dev.berth.kube.http;

import org.jspecify.annotations.NullMarked;
