package dev.berth.apiserver.rights.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.state.Catalog;
import dev.berth.apiserver.core.state.Served;
import dev.berth.apiserver.rights.Server;
import dev.berth.kube.object.Resource;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// API-12: what a node may say of what it may write.
class NodeRestrictionTest {
  private final Server server = new Server();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          nodes | {metadata: {name: a}} | {metadata: {name: a, labels: {x: y, kubernetes.io/os: linux}}} | true
          nodes | {metadata: {name: a}} | {metadata: {name: a, labels: {node-restriction.kubernetes.io/x: y}}} | false
          nodes | {metadata: {name: a}} | {metadata: {name: a, labels: {node.kubernetes.io/x: y}}} | true
          nodes | {metadata: {name: a, labels: {k8s.io/x: y}}} | {metadata: {name: a}} | false
          nodes | {metadata: {name: a}} | {metadata: {name: a}, spec: {taints: [{key: k}]}} | false
          nodes |  | {metadata: {name: a}, spec: {taints: [{key: k}]}} | true
          nodes |  | {metadata: {name: b}} | false
          csinodes |  | {metadata: {name: a}} | true
          csinodes |  | {metadata: {name: b}} | false
          resourceslices |  | {metadata: {name: s}, spec: {nodeName: a}} | true
          resourceslices |  | {metadata: {name: s}, spec: {nodeName: b}} | false
          resourceslices |  | {metadata: {name: s}, spec: {allNodes: true}} | false
          resourceslices | {metadata: {name: s}, spec: {nodeName: a}} | {metadata: {name: s}, spec: {nodeName: b}} | false
          pods |  | {metadata: {name: p}, spec: {nodeName: a}} | false
          pods |  | {metadata: {name: p, annotations: {kubernetes.io/config.mirror: h}}, spec: {nodeName: b}} | false
          pods |  | {metadata: {name: p, annotations: {kubernetes.io/config.mirror: h}}, spec: {nodeName: a, volumes: [{secret: {secretName: s}}]}} | false
          nodes | {metadata: {name: a}} | {metadata: {name: a, ownerReferences: [{name: b}]}} | false
          pods | {metadata: {name: p}} | {metadata: {name: p}, status: {phase: Running}} | true
          pods | {metadata: {name: p}} | {metadata: {name: p, finalizers: [a.b/c]}} | false
          pods | {metadata: {name: p}} | {metadata: {name: p, ownerReferences: [{name: b}]}} | false
          pods | {metadata: {name: p}} | {metadata: {name: p}, status: {resourceClaimStatuses: [{name: r, resourceClaimName: c}]}} | false
          pods | {metadata: {name: p}} | {metadata: {name: p, labels: {a: b}}} | false
          pods | {metadata: {name: p, annotations: {kubernetes.io/config.mirror: h}}} | {metadata: {name: p}} | false
          pods | {metadata: {name: p}} | {metadata: {name: p}, status: {extendedResourceClaimStatus: {resourceClaimName: c}}} | false
          persistentvolumeclaims | {metadata: {name: c}, status: {phase: Bound}} | {metadata: {name: c}, status: {phase: Bound, capacity: {storage: 2Gi}}} | true
          persistentvolumeclaims | {metadata: {name: c}, status: {phase: Bound}} | {metadata: {name: c}, status: {phase: Lost}} | false
          persistentvolumeclaims | {metadata: {name: c, finalizers: [f]}} | {metadata: {name: c}} | false
          """)
  void aNodeWritesAboutItself(String plural, String before, String after, boolean allowed)
      throws Exception {
    Resource resource =
        Catalog.all().stream()
            .map(Served::resource)
            .filter(each -> each.plural().equals(plural))
            .findFirst()
            .orElseThrow();
    var was = before == null ? Optional.<ObjectNode>empty() : Optional.of(Server.tree(before));
    assertThat(
            NodeRestriction.check("a", resource, was, Server.tree(after), server.state()).isEmpty())
        .isEqualTo(allowed);
  }
}
