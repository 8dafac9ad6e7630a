package dev.berth.apiserver.core;

import static dev.berth.apiserver.core.CoreRule.rule;
import static dev.berth.apiserver.core.Samples.CLAIM;
import static dev.berth.apiserver.core.Samples.CSI_NODE;
import static dev.berth.apiserver.core.Samples.DRIVER;
import static dev.berth.apiserver.core.Samples.VOLUME;
import static dev.berth.apiserver.core.Samples.vary;
import static dev.berth.kube.object.Resources.CLAIMS;
import static dev.berth.kube.object.Resources.CONFIG_MAPS;
import static dev.berth.kube.object.Resources.CSI_DRIVERS;
import static dev.berth.kube.object.Resources.CSI_NODES;
import static dev.berth.kube.object.Resources.DAEMON_SETS;
import static dev.berth.kube.object.Resources.DEPLOYMENTS;
import static dev.berth.kube.object.Resources.EVENTS;
import static dev.berth.kube.object.Resources.NAMESPACES;
import static dev.berth.kube.object.Resources.NODES;
import static dev.berth.kube.object.Resources.REVISIONS;
import static dev.berth.kube.object.Resources.STATEFUL_SETS;
import static dev.berth.kube.object.Resources.VOLUMES;
import static dev.berth.kube.object.StoredResources.ENDPOINT_SLICES;
import static dev.berth.kube.object.StoredResources.PRIORITY_CLASSES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.core.message.Answer;
import dev.berth.kube.api.DeleteOptions;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// What a real kube-apiserver was seen to answer (`interop/api-differential`) and no rule of the
/// specification says in so many words.
class LikeUpstreamTest {
  private static final String MAP = "{metadata: {name: map, namespace: default}}";
  private static final String SET =
      """
      metadata: {name: web, namespace: default}
      spec:
        selector: {matchLabels: {app: web}}
        template:
          metadata: {labels: {app: web}}
          spec: {containers: [{name: c, image: host}]}
      """;
  private static final String SLICE =
      "{metadata: {name: s, namespace: default}, addressType: IPv4, endpoints: [], ports: []}";

  static final List<CoreRule> rules =
      List.of(
          rule("BIND-30", "a claim that names a volume by an empty text names none")
              .when(world ->
                  world.create(
                      CLAIMS,
                      vary(CLAIM, "spec:", "spec:\n  volumeName: ''\n  storageClassName: ''")))
              .shows("{spec: {volumeName: null, storageClassName: ''}}"),
          rule("PROT-07", "a volume is reserved for whichever claim if a patch empties the uid")
              .given(world ->
                  world.with(
                      VOLUMES,
                      vary(
                          VOLUME,
                          "spec:",
                          "spec:\n  claimRef: {namespace: default, name: data, uid: u}")))
              .when(world -> world.merge(VOLUMES, "pv-1", "{spec: {claimRef: {uid: ''}}}"))
              .shows("{spec: {claimRef: {name: data, uid: null}}}"),
          rule("API-71", "a patch of the uid is a change that cannot be")
              .given(world -> world.with(CONFIG_MAPS, MAP))
              .when(world -> world.merge(CONFIG_MAPS, "default/map", "{metadata: {uid: other}}"))
              .refused(
                  422,
                  "Invalid",
                  "ConfigMap \"map\" is invalid: metadata.uid: Invalid value: \"other\": field is"
                      + " immutable"),
          rule("API-45", "a deployment's annotations count")
              .given(world -> world.with(DEPLOYMENTS, SET))
              .when(world ->
                  world.merge(DEPLOYMENTS, "default/web", "{metadata: {annotations: {a: b}}}"))
              .shows("{metadata: {generation: 2}}"),
          rule("API-45", "its labels do not")
              .given(world -> world.with(DEPLOYMENTS, SET))
              .when(
                  world -> world.merge(DEPLOYMENTS, "default/web", "{metadata: {labels: {a: b}}}"))
              .shows("{metadata: {generation: 1}}"),
          rule("API-45", "a slice's labels count")
              .given(world -> world.with(ENDPOINT_SLICES, SLICE))
              .when(world ->
                  world.merge(ENDPOINT_SLICES, "default/s", "{metadata: {labels: {a: b}}}"))
              .shows("{metadata: {generation: 2}}"),
          rule("API-84", "a namespace of another uid is told in words of its own")
              .given(world -> world.with(NAMESPACES, "{metadata: {name: n}}"))
              .when(world -> world.delete(NAMESPACES, "n", ofUid("other")))
              .then(answer ->
                  assertThat(((Answer.Refused) answer).refusal().message())
                      .startsWith(
                          "Operation cannot be fulfilled on namespaces \"n\": Precondition failed:"
                              + " UID in precondition: other, UID in object meta: ")),
          rule("API-85", "a namespace on its way out has no time left to name")
              .given(world ->
                  world
                      .with(NAMESPACES, "{metadata: {name: n}}")
                      .with(CONFIG_MAPS, vary(MAP, "namespace: default", "namespace: n")))
              .when(world -> world.delete(NAMESPACES, "n"))
              .shows(
                  "{metadata: {deletionGracePeriodSeconds: null}, status: {phase: Terminating}}"),
          rule("API-103", "a driver's pods are placed though it is missing")
              .when(world -> world.create(CSI_DRIVERS, DRIVER))
              .shows("{spec: {preventPodSchedulingIfMissing: false}}"),
          rule("API-102", "a CSI node has a status that says nothing")
              .when(world -> world.create(CSI_NODES, CSI_NODE))
              .then(answer -> assertThat(CoreRule.object(answer).has("status")).isTrue()),
          rule("API-01", "a node tells what it has not been told as empty")
              .when(world -> world.create(NODES, "{metadata: {name: node-a}}"))
              .shows(
                  "{status: {daemonEndpoints: {kubeletEndpoint: {Port: 0}}, nodeInfo:"
                      + " {kubeletVersion: '', architecture: ''}}}"),
          rule("API-137", "an event has the newer fields, empty")
              .when(world ->
                  world.create(
                      EVENTS,
                      "{metadata: {name: e, namespace: default}, involvedObject: {namespace:"
                          + " default}}"))
              .then(answer -> {
                var event = CoreRule.object(answer);
                assertThat(event.get("eventTime").isNull()).isTrue();
                assertThat(event.get("reportingComponent").asText()).isEmpty();
                assertThat(event.get("reportingInstance").asText()).isEmpty();
              }),
          rule("API-01", "a set's pods go one at a time")
              .when(world -> world.create(STATEFUL_SETS, SET))
              .shows(
                  "{spec: {updateStrategy: {rollingUpdate: {partition: 0, maxUnavailable: 1}}}}"),
          rule("API-03", "a priority that is not everybody's does not say so")
              .when(world ->
                  world.create(
                      PRIORITY_CLASSES, "{metadata: {name: p}, value: 5, globalDefault: false}"))
              .shows("{globalDefault: null}"),
          rule("API-80", "who creates a set owns the count of its templates")
              .when(world -> world.create(DAEMON_SETS, SET))
              .then(answer ->
                  assertThat(owned(answer)).contains("f:deprecated.daemonset.template.generation")),
          rule("API-80", "who fills a claim from a source owns what was said, not its twin")
              .when(world ->
                  world.create(
                      CLAIMS,
                      vary(
                          CLAIM,
                          "spec:\n",
                          "spec:\n  dataSource: {kind: PersistentVolumeClaim, name: other}\n")))
              .then(answer -> {
                assertThat(CoreRule.object(answer).at("/spec/dataSourceRef/name").asText())
                    .isEqualTo("other");
                assertThat(owned(answer))
                    .contains("f:dataSource\"")
                    .doesNotContain("dataSourceRef");
              }),
          rule("API-80", "a revision's state is owned as a whole")
              .when(world ->
                  world.create(
                      REVISIONS,
                      "{metadata: {name: r, namespace: default}, data: {spec: {a: b}}, revision:"
                          + " 1}"))
              .then(answer -> assertThat(owned(answer)).contains("\"f:data\":{}")));

  @ParameterizedTest
  @FieldSource
  void rules(CoreRule rule) {
    rule.check();
  }

  private static DeleteOptions ofUid(String uid) {
    return new DeleteOptions(
        Optional.of(uid), Optional.empty(), OptionalLong.empty(), Optional.empty());
  }

  private static String owned(Answer answer) {
    return CoreRule.object(answer).at("/metadata/managedFields").toString();
  }
}
