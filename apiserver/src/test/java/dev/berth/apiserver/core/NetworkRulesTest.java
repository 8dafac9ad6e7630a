package dev.berth.apiserver.core;

import static dev.berth.apiserver.core.CoreRule.rule;
import static dev.berth.apiserver.core.Samples.vary;
import static dev.berth.kube.object.StoredResources.ENDPOINTS;
import static dev.berth.kube.object.StoredResources.ENDPOINT_SLICES;
import static dev.berth.kube.object.StoredResources.INGRESSES;
import static dev.berth.kube.object.StoredResources.INGRESS_CLASSES;
import static dev.berth.kube.object.StoredResources.IP_ADDRESSES;
import static dev.berth.kube.object.StoredResources.NETWORK_POLICIES;
import static dev.berth.kube.object.StoredResources.SERVICES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.core.message.Answer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// API-03: how pods are reached is kept as upstream keeps it; nothing leads traffic anywhere.
class NetworkRulesTest {
  private static final String SERVICE =
      "{metadata: {name: s, namespace: default}, spec: {selector: {app: web}, ports: [{port:"
          + " 80}]}}";

  static final List<CoreRule> rules =
      List.of(
          rule("API-03", "a service is filled in")
              .when(world -> world.create(SERVICES, SERVICE))
              .shows(
                  "{spec: {type: ClusterIP, sessionAffinity: None, internalTrafficPolicy: Cluster,"
                      + " ipFamilies: [IPv4], ipFamilyPolicy: SingleStack, externalTrafficPolicy:"
                      + " null, ports: [{port: 80, protocol: TCP, targetPort: 80}]}, status:"
                      + " {loadBalancer: {}}}"),
          rule("API-03", "a headless service has no address")
              .when(world ->
                  world.create(SERVICES, vary(SERVICE, "spec: {", "spec: {clusterIP: None, ")))
              .shows("{spec: {clusterIP: None, clusterIPs: [None]}}"),
          rule("API-03", "another name for something has no address")
              .when(world ->
                  world.create(
                      SERVICES,
                      "{metadata: {name: s, namespace: default}, spec: {type: ExternalName,"
                          + " externalName: example.com}}"))
              .shows("{spec: {clusterIP: null, sessionAffinity: None}}"),
          rule("API-03", "an address of one's own choice is one of ours")
              .when(world ->
                  world.create(SERVICES, vary(SERVICE, "spec: {", "spec: {clusterIP: 10.0.0.1, ")))
              .invalid("the provided IP (10.0.0.1) is not in the valid range"),
          rule("API-03", "a port of the nodes is one of a few")
              .when(world -> world.create(SERVICES, onNodes("s", "{port: 80, nodePort: 22}")))
              .invalid(
                  "spec.ports[0].nodePort: Invalid value: 22: provided port is not in the valid"
                      + " range. The range of valid ports is 30000-32767"),
          rule("API-03", "a port of the nodes belongs to one")
              .given(world -> world.with(SERVICES, onNodes("s", "{port: 80, nodePort: 30080}")))
              .when(world -> world.create(SERVICES, onNodes("t", "{port: 81, nodePort: 30080}")))
              .invalid(
                  "spec.ports[0].nodePort: Invalid value: 30080: provided port is already"
                      + " allocated"),
          rule("API-03", "two protocols share one port of the nodes")
              .when(world ->
                  world.create(
                      SERVICES,
                      onNodes(
                          "s",
                          "{name: a, port: 53, nodePort: 30053}, {name: b, port: 53, protocol:"
                              + " UDP}")))
              .shows(
                  "{spec: {ports: [{name: a, port: 53, nodePort: 30053, protocol: TCP, targetPort:"
                      + " 53}, {name: b, port: 53, protocol: UDP, targetPort: 53, nodePort:"
                      + " 30053}]}}"),
          rule("API-03", "a service without ports of the nodes names none")
              .when(world ->
                  world.create(
                      SERVICES,
                      onNodes("s", "{port: 80, nodePort: 30080}")
                          .replace("NodePort,", "ClusterIP,")))
              .invalid(
                  "spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'"),
          rule("API-03", "a list of addresses says no more than the address")
              .when(world ->
                  world.create(
                      SERVICES, vary(SERVICE, "spec: {", "spec: {clusterIPs: [10.96.0.9], ")))
              .invalid(
                  "spec.clusterIPs: Invalid value: [\"10.96.0.9\"]: must be empty when `clusterIP`"
                      + " is not specified"),
          rule("API-03", "an address belongs to one")
              .given(world ->
                  world.with(SERVICES, vary(SERVICE, "spec: {", "spec: {clusterIP: 10.96.0.9, ")))
              .when(world ->
                  world.create(
                      SERVICES,
                      vary(
                          vary(SERVICE, "name: s", "name: t"),
                          "spec: {",
                          "spec: {clusterIP: 10.96.0.9, ")))
              .invalid("failed to allocate IP 10.96.0.9: provided IP is already allocated"),
          rule("API-03", "an address stays")
              .given(world -> world.with(SERVICES, SERVICE))
              .when(world -> world.merge(SERVICES, "default/s", "{spec: {clusterIP: 10.96.0.9}}"))
              .invalid("may not change once set"),
          rule(
                  "API-70",
                  "a PUT of what a person wrote keeps the address, and creates what is missing")
              .when(world -> world.update(SERVICES, SERVICE))
              .then(answer -> assertThat(answer).isInstanceOf(Answer.Created.class)),
          rule("API-03", "several ports have names of their own, and none is there twice")
              .when(world ->
                  world.create(
                      SERVICES,
                      vary(
                          SERVICE,
                          "[{port: 80}]",
                          "[{name: a, port: 80}, {name: a, port: 0}, {port: 80}]")))
              .invalid(
                  "spec.ports[1].name: Duplicate value: \"a\"",
                  "spec.ports[1].port: Invalid value: 0: must be between 1 and 65535, inclusive",
                  "spec.ports[1].targetPort: Invalid value: 0",
                  "spec.ports[2].name: Required value",
                  "spec.ports[2]: Duplicate value"),
          rule("API-03", "a service has ports and a type that is one")
              .when(world ->
                  world.create(
                      SERVICES, "{metadata: {name: s, namespace: default}, spec: {type: Free}}"))
              .invalid("spec.type: Unsupported value: \"Free\"", "spec.ports: Required value"),
          rule("API-86", "a service is shown as it goes")
              .given(world -> world.with(SERVICES, SERVICE))
              .when(world -> world.delete(SERVICES, "default/s"))
              .shows("{kind: Service}"),
          rule("API-03", "endpoints have addresses")
              .when(world ->
                  world.create(
                      ENDPOINTS,
                      "{metadata: {name: e, namespace: default}, subsets: [{addresses: [{ip:"
                          + " 10.1.2}, {ip: '2001:db8::1'}, {ip: 10.0.0.256}], ports: [{port:"
                          + " 80}]}, {}]}"))
              .invalid(
                  "subsets[0].addresses[0].ip: Invalid value: \"10.1.2\"",
                  "subsets[0].addresses[2].ip: Invalid value: \"10.0.0.256\"",
                  "subsets[1]: Required value"),
          rule("API-03", "a slice of endpoints is filled in")
              .when(world ->
                  world.create(
                      ENDPOINT_SLICES,
                      "{metadata: {name: e, namespace: default}, addressType: IPv4, endpoints:"
                          + " [{addresses: [10.1.2.3]}], ports: [{port: 80}]}"))
              .shows("{metadata: {generation: 1}, ports: [{port: 80, name: '', protocol: TCP}]}"),
          rule("API-03", "a slice keeps the kind of its addresses")
              .given(world ->
                  world.with(
                      ENDPOINT_SLICES,
                      "{metadata: {name: e, namespace: default}, addressType: IPv4}"))
              .when(world ->
                  world.merge(ENDPOINT_SLICES, "default/e", "{addressType: FQDN, endpoints: [{}]}"))
              .invalid(
                  "addressType: Invalid value: \"FQDN\": field is immutable",
                  "endpoints[0].addresses: Required value"),
          rule("API-03", "an ingress leads somewhere")
              .when(world ->
                  world.create(INGRESSES, "{metadata: {name: i, namespace: default}, spec: {}}"))
              .invalid("either `defaultBackend` or `rules` must be specified"),
          rule("API-03", "a path of an ingress has a type and a backend")
              .when(world ->
                  world.create(
                      INGRESSES,
                      "{metadata: {name: i, namespace: default}, spec: {rules: [{http: {paths:"
                          + " [{path: x, backend: {service: {name: s}}}]}}]}}"))
              .invalid(
                  "pathType: Required value: pathType must be specified",
                  "must be an absolute path",
                  "port name or number is required"),
          rule("API-03", "a class of ingresses keeps its controller")
              .given(world ->
                  world.with(
                      INGRESS_CLASSES, "{metadata: {name: c}, spec: {controller: k8s.io/nginx}}"))
              .when(world -> world.merge(INGRESS_CLASSES, "c", "{spec: {controller: nginx}}"))
              .invalid("must be a domain-prefixed path", "field is immutable"),
          rule("API-03", "a policy is about what comes in, and about what goes out if it says so")
              .when(world ->
                  world.create(
                      NETWORK_POLICIES,
                      "{metadata: {name: p, namespace: default}, spec: {podSelector: {}, egress:"
                          + " [{ports: [{port: 53}]}]}}"))
              .shows(
                  "{spec: {policyTypes: [Ingress, Egress], egress: [{ports: [{port: 53, protocol:"
                      + " TCP}]}]}}"),
          rule("API-03", "a peer of a policy is one thing")
              .when(world ->
                  world.create(
                      NETWORK_POLICIES,
                      "{metadata: {name: p, namespace: default}, spec: {ingress: [{from: [{},"
                          + " {podSelector: {}, ipBlock: {cidr: 10.0.0.0/8}}]}]}}"))
              .invalid("must specify a peer", "may not specify both ipBlock and another peer"));

  @ParameterizedTest
  @FieldSource("rules")
  void holds(CoreRule rule) {
    rule.check();
  }

  @Test
  void anAddressIsKnownByItsOwnerAndGoesWithIt() { // API-03
    var world = new World().with(SERVICES, SERVICE);
    var address = address(world);
    assertThat(address).matches("10\\.(9[6-9]|10[0-9]|11[01])\\.[0-9]+\\.[0-9]+");
    assertThat(world.get(IP_ADDRESSES, address).at("/spec/parentRef/name").asText()).isEqualTo("s");
    world.update(SERVICES, SERVICE);
    assertThat(address(world)).isEqualTo(address);
    world.merge(
        SERVICES, "default/s", "{spec: {type: ExternalName, externalName: x.y, clusterIP: null}}");
    assertThat(world.find(IP_ADDRESSES, address)).isEmpty();
    world.merge(SERVICES, "default/s", "{spec: {type: NodePort}}");
    assertThat(world.find(IP_ADDRESSES, address(world))).isPresent();
    int port = world.get(SERVICES, "default/s").at("/spec/ports/0/nodePort").asInt();
    assertThat(port).isBetween(30000, 32767);
    world.update(SERVICES, vary(SERVICE, "spec: {", "spec: {type: NodePort, "));
    assertThat(world.get(SERVICES, "default/s").at("/spec/ports/0/nodePort").asInt())
        .isEqualTo(port);
    world.delete(SERVICES, "default/s");
    assertThat(world.state().list(IP_ADDRESSES)).isEmpty();
  }

  private static String onNodes(String name, String ports) {
    return "{metadata: {name: %s, namespace: default}, spec: {type: NodePort, ports: [%s]}}"
        .formatted(name, ports);
  }

  private static String address(World world) {
    return world.get(SERVICES, "default/s").at("/spec/clusterIP").asText();
  }
}
