package dev.berth.apiserver.rights.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.core.message.ListOptions;
import dev.berth.apiserver.core.message.Request;
import dev.berth.apiserver.rights.Attributes;
import dev.berth.apiserver.rights.Server;
import dev.berth.apiserver.rights.User;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.api.Patch;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.kube.object.StoredResources;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// API-12: a node sees the devices that it has and those that its pods have claimed.
class NodeDevicesTest {
  private static final User NODE =
      User.authenticated("system:node:a", "", List.of(User.NODES), Map.of());

  private final Server server = new Server();

  private void slice(String node) throws Exception {
    server.create(
        StoredResources.DEVICE_SLICES,
        """
        metadata: {name: of-%1$s}
        spec: {driver: d.example, nodeName: %1$s, pool: {name: %1$s, generation: 1, resourceSliceCount: 1}}
        """
            .formatted(node));
  }

  @ParameterizedTest
  @CsvSource({
    "namespaces/default/resourceclaims/named, GET, '', true",
    "namespaces/default/resourceclaims/made, GET, '', true",
    "namespaces/default/resourceclaims/extended, GET, '', true",
    "namespaces/default/resourceclaims/another, GET, '', false",
    "namespaces/other/resourceclaims/named, GET, '', false",
    "namespaces/default/resourceclaims/named, PATCH, '', false",
    "namespaces/default/resourceclaims, GET, '', false",
    "resourceslices, POST, '', true",
    "resourceslices/of-a, GET, '', true",
    "resourceslices/of-a, PUT, '', true",
    "resourceslices/of-a, DELETE, '', true",
    "resourceslices/of-b, GET, '', false",
    "resourceslices/of-b, PATCH, '', false",
    "resourceslices/of-b, DELETE, '', false",
    "resourceslices/none, DELETE, '', false",
    "resourceslices, GET, '', false",
    "resourceslices, DELETE, '', false",
    "resourceslices, DELETE, spec.nodeName=b, false",
    "resourceslices, DELETE, spec.nodeName=a, true",
    "resourceslices, GET, spec.nodeName=a, true",
  })
  void aNodeSeesItsDevices(String path, String method, String fields, boolean allowed)
      throws Exception {
    server.create(
        Resources.PODS,
        """
        metadata: {name: devices}
        spec:
          nodeName: a
          resourceClaims: [{name: r, resourceClaimName: named}, {name: t, resourceClaimTemplateName: t}]
          containers: [{name: c, image: i}]
        """);
    server
        .api()
        .handle(
            new Request.Change(
                Resources.PODS,
                ObjectKey.of("default", "devices"),
                Request.Part.STATUS,
                Patch.merge(
                    Server.tree(
                        """
                        status:
                          resourceClaimStatuses: [{name: t, resourceClaimName: made}]
                          extendedResourceClaimStatus: {resourceClaimName: extended, requestMappings: []}
                        """))));
    for (var node : List.of("a", "b")) slice(node);
    var whole = "/apis/resource.k8s.io/v1/" + path;
    var segments = List.of(whole.substring(1).split("/"));
    var wish = Attributes.of(method, segments, whole, false, fields);
    var decision = new NodeAuthorizer().decide(NODE, wish, server.state());
    assertThat(decision.allowed()).isEqualTo(allowed);
  }

  /// What a field selector lets through is what is deleted.
  @Test
  void aNodeDeletesItsOwnOnly() throws Exception {
    for (var node : List.of("a", "b")) slice(node);
    var own = ListOptions.ALL.selecting("", "spec.nodeName=a");
    server
        .api()
        .handle(
            new Request.DeleteAll(StoredResources.DEVICE_SLICES, "", own, DeleteOptions.DEFAULT));
    assertThat(server.state().list(StoredResources.DEVICE_SLICES))
        .extracting(found -> found.key().name())
        .containsExactly("of-b");
  }
}
