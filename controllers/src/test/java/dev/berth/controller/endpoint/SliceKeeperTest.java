package dev.berth.controller.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.controller.Draft;
import dev.berth.controller.Rule;
import dev.berth.controller.World;
import dev.berth.controller.workload.WorkloadEffect;
import dev.berth.controller.workload.WorkloadEffect.Change;
import dev.berth.controller.workload.WorkloadEffect.Make;
import dev.berth.controller.workload.WorkloadEffect.Remove;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Step;
import dev.berth.kube.object.ObjectKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// What EndpointSlices say (API-03), as upstream's controller has it.
class SliceKeeperTest {
  static final Draft SERVICE =
      Draft.of(
          """
          apiVersion: v1
          kind: Service
          metadata: {namespace: shop, name: web, labels: {tier: front}}
          spec:
            type: ClusterIP
            clusterIP: 10.96.0.9
            ipFamilies: [IPv4]
            selector: {app: web}
            ports: [{name: http, port: 80, protocol: TCP, targetPort: 8080}]
          """);

  static final Draft NODE = Draft.node("n1").label("topology.kubernetes.io/zone", "z1");

  private static final Draft SLICE =
      Draft.of(
          """
          apiVersion: discovery.k8s.io/v1
          kind: EndpointSlice
          metadata:
            namespace: shop
            name: web-abcde
            labels:
              tier: front
              kubernetes.io/service-name: web
              endpointslice.kubernetes.io/managed-by: endpointslice-controller.k8s.io
          addressType: IPv4
          endpoints:
          - addresses: [10.0.0.1]
            conditions: {ready: true, serving: true, terminating: false}
            nodeName: n1
            targetRef: {kind: Pod, namespace: shop, name: a, uid: uid-a}
            zone: z1
          ports: [{name: http, protocol: TCP, port: 8080}]
          """);

  private static final World WORLD = World.of(SERVICE, NODE, pod("a", "10.0.0.1"));
  private static final World KEPT = WORLD.with(SLICE);

  static Draft pod(String name, String ip) {
    return Draft.pod(name)
        .label("app", "web")
        .set("spec.nodeName", "n1")
        .set("status.phase", "Running")
        .set("status.podIPs", "[{ip: '%s'}]".formatted(ip))
        .set("status.conditions", "[{type: Ready, status: 'True'}]");
  }

  private static Draft unready(Draft pod) {
    return pod.set("status.conditions", "[{type: Ready, status: 'False'}]");
  }

  /// @param what is done, as [#shown] has it
  record Row(String sentence, World world, String what) {
    @Override
    public String toString() {
      return sentence;
    }
  }

  static final List<Row> rows =
      List.of(
          new Row(
              "a Service gets a slice of its pods",
              WORLD,
              "make IPv4 http 8080: 10.0.0.1 on n1 in z1 ready serving"),
          new Row("what a slice says is not written again", KEPT, ""),
          new Row(
              "a pod that is not ready is told as such",
              KEPT.with(unready(pod("a", "10.0.0.1"))),
              "change web-abcde: 10.0.0.1 on n1 in z1"),
          new Row(
              "a pod that is going serves and is not ready",
              KEPT.with(pod("a", "10.0.0.1").deleting()),
              "change web-abcde: 10.0.0.1 on n1 in z1 serving terminating"),
          new Row(
              "a Service that wants it has them all ready",
              KEPT.with(
                  SERVICE.set("spec.publishNotReadyAddresses", "true"),
                  unready(pod("a", "10.0.0.1"))),
              "change web-abcde: 10.0.0.1 on n1 in z1 ready"),
          new Row(
              "a pod that has ended, or has no address, is nobody",
              KEPT.with(
                  pod("b", "10.0.0.2").set("status.phase", "Succeeded"),
                  pod("c", "").without("status.podIPs")),
              ""),
          new Row(
              "another namespace's pods, and other labels, are not meant",
              KEPT.with(
                  pod("b", "10.0.0.2").set("metadata.namespace", "street"),
                  pod("c", "10.0.0.3").label("app", "db")),
              ""),
          new Row(
              "a pod whose node is gone is left out",
              KEPT.with(pod("b", "10.0.0.2").set("spec.nodeName", "n2")),
              ""),
          new Row(
              "a further pod comes into the slice",
              KEPT.with(pod("b", "10.0.0.2")),
              "change web-abcde: 10.0.0.1 on n1 in z1 ready serving, 10.0.0.2 on n1 in z1 ready"
                  + " serving"),
          new Row(
              "a port without a name is told with an empty one",
              KEPT.with(
                  SERVICE.set("spec.ports", "[{port: 80, targetPort: 8080}]"),
                  SLICE.set("ports", "[{name: '', protocol: TCP, port: 8080}]")),
              ""),
          new Row(
              "where nobody is left the slice says so",
              World.of(SERVICE, NODE, SLICE),
              "change web-abcde:  ports"),
          new Row(
              "a Service that nobody stands behind has a slice",
              World.of(SERVICE, NODE),
              "make IPv4 : "),
          new Row(
              "a port is found by its name, in sidecars too",
              World.of(
                  SERVICE.set(
                      "spec.ports",
                      "[{name: http, port: 80, targetPort: web}, {name: m, port: 9, targetPort:"
                          + " m}]"),
                  NODE,
                  pod("a", "10.0.0.1")
                      .set(
                          "spec.containers", "[{name: a, ports: [{name: web, containerPort: 81}]}]")
                      .set(
                          "spec.initContainers",
                          "[{name: s, restartPolicy: Always, ports: [{name: m, containerPort:"
                              + " 82}]}]")),
              "make IPv4 http 81, m 82: 10.0.0.1 on n1 in z1 ready serving"),
          new Row(
              "pods with other ports have another slice",
              KEPT.with(
                  SERVICE.set("spec.ports", "[{name: http, port: 80, targetPort: web}]"),
                  pod("a", "10.0.0.1").set("spec.containers", named(8080)),
                  pod("b", "10.0.0.2").set("spec.containers", named(9090))),
              "make IPv4 http 9090: 10.0.0.2 on n1 in z1 ready serving"),
          new Row(
              "headless, and a pod with a name of its own",
              World.of(
                  SERVICE.set("spec.clusterIP", "None").without("spec.ports"),
                  NODE,
                  pod("a", "10.0.0.1").set("spec.hostname", "web-0").set("spec.subdomain", "web")),
              "make IPv4 headless : 10.0.0.1 on n1 in z1 ready serving as web-0"),
          new Row(
              "each family has its own",
              KEPT.with(
                  SERVICE.set("spec.ipFamilies", "[IPv4, IPv6]"),
                  pod("a", "").set("status.podIPs", "[{ip: 10.0.0.1}, {ip: 'fd00::1'}]")),
              "make IPv6 http 8080: fd00::1 on n1 in z1 ready serving"),
          new Row(
              "a family that is not wanted goes",
              KEPT.with(SLICE.set("metadata.name", "web-six").set("addressType", "IPv6")),
              "remove web-six"),
          new Row(
              "a slice that somebody else keeps is left alone",
              KEPT.with(
                  SLICE
                      .set("metadata.name", "theirs")
                      .label("endpointslice.kubernetes.io/managed-by", "me")
                      .set("endpoints", "[]")),
              ""),
          new Row(
              "a Service without a selector is somebody else's",
              WORLD.with(SERVICE.without("spec.selector")),
              ""),
          new Row("an alias has no pods", WORLD.with(SERVICE.set("spec.type", "ExternalName")), ""),
          new Row("a Service that is going gets no slice", WORLD.with(SERVICE.deleting()), ""),
          new Row(
              "while a finalizer holds a Service, its pods are told as they are",
              KEPT.with(SERVICE.deleting(), pod("a", "10.0.0.1").deleting()),
              "change web-abcde: 10.0.0.1 on n1 in z1 serving terminating"),
          new Row(
              "while a finalizer holds a Service, what is too much goes",
              KEPT.with(
                  SERVICE.deleting(),
                  SLICE.set("metadata.name", "web-six").set("addressType", "IPv6")),
              "remove web-six"),
          new Row(
              "the Service's labels are the slice's",
              KEPT.with(SERVICE.set("metadata.labels", "{colour: blue}")),
              "change web-abcde labels {tier: null, colour: blue}"));

  private static String named(int port) {
    return "[{name: a, ports: [{name: web, containerPort: %d}]}]".formatted(port);
  }

  @ParameterizedTest
  @FieldSource
  void rows(Row row) {
    assertThat(shown(decide(row.world))).isEqualTo(row.what);
  }

  private static Step decide(World world) {
    return Rule.decide(new SliceKeeper(), world, ObjectKey.of("shop", "web"));
  }

  /// A hundred in a slice; who is in one stays there.
  @Test
  void manyPodsHaveSeveralSlices() {
    var world = World.of(SERVICE, NODE, SLICE);
    for (var each : IntStream.rangeClosed(1, 201).mapToObj(SliceKeeperTest::numbered).toList())
      world = world.with(each);
    world = world.with(pod("a", "10.0.0.1"));
    var filled = ((Change) effect(decide(world)).orElseThrow()).body().path("endpoints");
    assertThat(filled).hasSize(100);
    assertThat(filled.path(0).at("/targetRef/name").asText()).isEqualTo("a");
    var held = SLICE.set("endpoints", filled.toString());
    var made = ((Make) effect(decide(world.with(held))).orElseThrow()).births();
    assertThat(made).hasSize(2);
    assertThat(made)
        .extracting(birth -> birth.object().path("endpoints").size())
        .containsExactly(100, 2);
    assertThat(made.get(0).object().at("/metadata/name"))
        .isNotEqualTo(made.get(1).object().at("/metadata/name"));
  }

  private static Draft numbered(int number) {
    return pod("p%03d".formatted(number), "10.0.1." + number);
  }

  private static Optional<WorkloadEffect> effect(Step step) {
    return step instanceof Act(WorkloadEffect effect, _) ? Optional.of(effect) : Optional.empty();
  }

  /// What is done, in a line; empty: nothing.
  private static String shown(Step step) {
    return effect(step)
        .map(effect ->
            switch (effect) {
              case Make(var births) ->
                  births.stream()
                      .map(birth -> "make " + shown(birth.object()))
                      .collect(Collectors.joining("; "));
              case Change change -> "change " + change.object().key().name() + shown(change);
              case Remove(var deaths) ->
                  deaths.stream()
                      .map(death -> "remove " + death.object().key().name())
                      .collect(Collectors.joining("; "));
              case WorkloadEffect other -> other.toString();
            })
        .orElse("");
  }

  private static String shown(Change change) {
    var body = change.body();
    var labels = body.at("/metadata/labels");
    var text = new StringBuilder();
    if (!labels.isMissingNode()) {
      var changed = new ArrayList<String>();
      for (var each : labels.properties())
        if (!each.getKey().contains("kubernetes.io"))
          changed.add(each.getKey() + ": " + each.getValue().asText());
      text.append(" labels {%s}".formatted(String.join(", ", changed)));
    }
    if (body.has("endpoints")) text.append(": ").append(endpoints(body));
    if (body.has("ports")) text.append(" ports").append(ports(body));
    return text.toString();
  }

  private static String shown(JsonNode slice) {
    var labels = slice.at("/metadata/labels");
    assertThat(labels.path("kubernetes.io/service-name").asText()).isEqualTo("web");
    assertThat(slice.at("/metadata/ownerReferences/0/uid").asText()).isEqualTo("uid-web");
    return slice.path("addressType").asText()
        + (labels.has("service.kubernetes.io/headless") ? " headless" : "")
        + " "
        + ports(slice)
        + ": "
        + endpoints(slice);
  }

  private static String ports(JsonNode slice) {
    return slice
        .path("ports")
        .valueStream()
        .map(port -> port.path("name").asText() + " " + port.path("port").asInt())
        .collect(Collectors.joining(", "));
  }

  private static String endpoints(JsonNode slice) {
    return slice
        .path("endpoints")
        .valueStream()
        .map(SliceKeeperTest::endpoint)
        .collect(Collectors.joining(", "));
  }

  private static String endpoint(JsonNode endpoint) {
    var words = new ArrayList<String>();
    words.add(endpoint.at("/addresses/0").asText());
    words.add("on " + endpoint.path("nodeName").asText());
    words.add("in " + endpoint.path("zone").asText());
    for (var each : endpoint.path("conditions").properties())
      if (each.getValue().asBoolean()) words.add(each.getKey());
    if (endpoint.has("hostname")) words.add("as " + endpoint.path("hostname").asText());
    return String.join(" ", words);
  }
}
