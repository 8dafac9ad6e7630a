package dev.berth.controller.endpoint;

import static dev.berth.controller.endpoint.SliceKeeperTest.NODE;
import static dev.berth.controller.endpoint.SliceKeeperTest.SERVICE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controller.Cluster;
import dev.berth.controller.Draft;
import dev.berth.controller.endpoint.EndpointsKeeper.Endpoints;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.ObjectKey;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A Service's pods come and go on a server.
class ServiceEndpointsTest {
  private static final ObjectKey WEB = ObjectKey.of("shop", "web");
  private Cluster cluster;

  @BeforeEach
  void start() throws Exception {
    cluster =
        Cluster.of(means ->
            List.of(
                ServiceEndpoints.slices().controller(means),
                ServiceEndpoints.endpoints().controller(means)));
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  @Test
  void slicesAndEndpointsFollowThePods() { // API-03
    cluster.create(NODE, SERVICE);
    var slice = untilSaid(0);
    run("a", "10.0.0.1");
    run("b", "10.0.0.2");
    assertThat(untilSaid(2).meta().uid()).isEqualTo(slice.meta().uid());
    cluster.until(Endpoints.KIND, WEB, it -> it.subsets().at("/0/addresses").size() == 2);
    cluster.delete(Kinds.POD, ObjectKey.of("shop", "a"));
    untilSaid(1);
    cluster.untilQuiet();
    assertThat(cluster.list(Slice.KIND)).hasSize(1);
    cluster.delete(Service.KIND, WEB);
    cluster.untilGone(Slice.KIND, slice.meta().key());
    cluster.untilGone(Endpoints.KIND, WEB);
  }

  /// As `kubectl expose --port=80` makes it.
  @Test
  void anUnnamedPortIsWrittenOnce() {
    cluster.create(NODE, SERVICE.set("spec.ports", "[{port: 80, targetPort: 8080}]"));
    run("a", "10.0.0.1");
    untilSaid(1);
    cluster.until(Endpoints.KIND, WEB, it -> it.subsets().at("/0/addresses").size() == 1);
    cluster.untilQuiet();
    assertThat(cluster.troubles()).isEmpty();
  }

  private Slice untilSaid(int pods) {
    return Awaitility.await()
        .until(
            () -> cluster.list(Slice.KIND),
            slices -> slices.size() == 1 && slices.getFirst().endpoints().size() == pods)
        .getFirst();
  }

  private void run(String name, String ip) {
    cluster.create(Draft.pod(name).label("app", "web").set("spec.nodeName", "n1"));
    cluster.patchStatus(
        Kinds.POD,
        ObjectKey.of("shop", name),
        body ->
            body.set(
                "status",
                Draft.of(
                        "{phase: Running, podIP: %1$s, podIPs: [{ip: %1$s}], conditions: [{type: Ready, status: 'True'}]}"
                            .formatted(ip))
                    .tree()
                    .without("metadata")));
  }
}
