package dev.berth.apiserver.core.kind.network;

import dev.berth.apiserver.core.kind.Rules;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.StoredResources;
import java.util.Map;

/// The rules of each kind by which pods are reached.
public final class NetworkBook {
  public static final Map<Resource, Rules> RULES =
      Map.of(
          StoredResources.SERVICES, new ServiceRules(),
          StoredResources.ENDPOINTS, new EndpointsRules(),
          StoredResources.ENDPOINT_SLICES, new EndpointSliceRules(),
          StoredResources.IP_ADDRESSES, new AddressRules(),
          StoredResources.INGRESSES, new IngressRules(),
          StoredResources.INGRESS_CLASSES, new IngressClassRules(),
          StoredResources.NETWORK_POLICIES, new NetworkPolicyRules());

  private NetworkBook() {}
}
