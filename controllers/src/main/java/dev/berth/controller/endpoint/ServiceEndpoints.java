package dev.berth.controller.endpoint;

import dev.berth.controller.Means;
import dev.berth.controller.workload.WorkloadEffects;
import dev.berth.kube.loop.Concern;
import dev.berth.kube.loop.Role;
import dev.berth.kube.name.LeaseNames;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.ObjectKey;
import java.util.List;

/// Kubernetes' controllers of EndpointSlices and of Endpoints.
public final class ServiceEndpoints {
  /// The kinds that only they read.
  public static final List<Kind<?>> KINDS =
      List.of(Service.KIND, Slice.KIND, EndpointsKeeper.Endpoints.KIND);

  private static final Role SLICES =
      Role.of(
          "endpointslice controller", "endpoint-slice-controller", LeaseNames.CONTROLLER_MANAGER);

  private static final Role ENDPOINTS =
      Role.of("endpoints controller", "endpoint-controller", LeaseNames.CONTROLLER_MANAGER);

  private ServiceEndpoints() {}

  /// Says in EndpointSlices which pods stand behind a Service.
  public static Concern<Means, ObjectKey, ?, ?> slices() {
    return new Concern<>(SLICES, new SliceKeeper(), WorkloadEffects::new);
  }

  /// Says the same in Endpoints, for those who read these.
  public static Concern<Means, ObjectKey, ?, ?> endpoints() {
    return new Concern<>(ENDPOINTS, new EndpointsKeeper(), WorkloadEffects::new);
  }
}
