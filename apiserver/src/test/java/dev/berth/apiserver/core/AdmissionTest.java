package dev.berth.apiserver.core;

import static dev.berth.apiserver.core.CoreRule.rule;
import static dev.berth.apiserver.core.Samples.CLAIM;
import static dev.berth.apiserver.core.Samples.POD;
import static dev.berth.apiserver.core.Samples.vary;
import static dev.berth.kube.object.Resources.CLAIMS;
import static dev.berth.kube.object.Resources.CONFIG_MAPS;
import static dev.berth.kube.object.Resources.NAMESPACES;
import static dev.berth.kube.object.Resources.PODS;
import static dev.berth.kube.object.Resources.SERVICE_ACCOUNTS;
import static dev.berth.kube.object.StoredResources.INGRESSES;
import static dev.berth.kube.object.StoredResources.INGRESS_CLASSES;
import static dev.berth.kube.object.StoredResources.LIMIT_RANGES;
import static dev.berth.kube.object.StoredResources.PRIORITY_CLASSES;
import static dev.berth.kube.object.StoredResources.QUOTAS;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// API-110, API-114: what a write must pass, or is given, because of other objects.
class AdmissionTest {
  private static final String QUOTA =
      "{metadata: {name: q, namespace: default}, spec: {hard: {%s}}}";
  private static final String LIMITS =
      "{metadata: {name: l, namespace: default}, spec: {limits: [{%s}]}}";

  static final List<CoreRule> rules =
      List.of(
          rule("API-114", "a pod runs as the account that every namespace has")
              .when(world -> world.create(PODS, POD))
              .shows("{spec: {serviceAccountName: default, serviceAccount: default}}"),
          rule("API-114", "a pod runs as an account that is there")
              .when(world ->
                  world.create(PODS, vary(POD, "spec:", "spec:\n  serviceAccountName: robot")))
              .refused(
                  403,
                  "Forbidden",
                  "pods \"web\" is forbidden: error looking up service account default/robot:"
                      + " serviceaccount \"robot\" not found"),
          rule("API-114", "a container finds the account's token")
              .when(world ->
                  world.create(
                      PODS,
                      "{metadata: {name: web, namespace: default}, spec: {containers: [{name: a,"
                          + " image: i}], volumes: [{name: kube-api-access-x, emptyDir: {}}]}}"))
              .shows(
                  "{spec: {containers: [{name: a, image: i, terminationMessagePath:"
                      + " /dev/termination-log, terminationMessagePolicy: File, imagePullPolicy:"
                      + " Always, resources: {}, volumeMounts: [{name: kube-api-access-x, readOnly:"
                      + " true, mountPath: /var/run/secrets/kubernetes.io/serviceaccount}]}]}}"),
          rule("API-114", "what a pod mounts in its place itself is left alone")
              .when(world ->
                  world.create(
                      PODS,
                      "{metadata: {name: web, namespace: default}, spec: {containers: [{name: a,"
                          + " image: i, volumeMounts: [{name: own, mountPath:"
                          + " /var/run/secrets/kubernetes.io/serviceaccount}]}], volumes: [{name:"
                          + " own, emptyDir: {}}]}}"))
              .shows("{spec: {volumes: [{name: own, emptyDir: {}}]}}"),
          rule("API-114", "a pod that wants no token gets none")
              .when(world ->
                  world.create(
                      PODS, vary(POD, "spec:", "spec:\n  automountServiceAccountToken: false")))
              .shows("{spec: {volumes: null}}"),
          rule("API-114", "a mirror pod reads no secret")
              .when(world ->
                  world.create(
                      PODS,
                      "{metadata: {name: web, namespace: default, annotations:"
                          + " {kubernetes.io/config.mirror: x}}, spec: {containers: [{name: a,"
                          + " image: i}], volumes: [{name: s, secret: {secretName: s}}]}}"))
              .refused(
                  403,
                  "Forbidden",
                  "pods \"web\" is forbidden: a mirror pod may not reference secrets"),
          rule("API-114", "a pod pulls its images as its account does")
              .given(world ->
                  world.with(
                      SERVICE_ACCOUNTS,
                      "{metadata: {name: robot, namespace: default}, imagePullSecrets: [{name:"
                          + " key}]}"))
              .when(world ->
                  world.create(PODS, vary(POD, "spec:", "spec:\n  serviceAccountName: robot")))
              .shows("{spec: {serviceAccountName: robot, imagePullSecrets: [{name: key}]}}"),
          rule("API-110", "a limit is so much more than a request, and no more")
              .given(world ->
                  world.with(
                      LIMIT_RANGES,
                      LIMITS.formatted("type: Container, maxLimitRequestRatio: {cpu: '2'}")))
              .when(world ->
                  world.create(
                      PODS,
                      "{metadata: {name: web, namespace: default}, spec: {containers: [{name: a,"
                          + " image: i, resources: {requests: {cpu: '1'}, limits: {cpu: '3'}}}]}}"))
              .refused(
                  403,
                  "Forbidden",
                  "pods \"web\" is forbidden: cpu max limit to request ratio per Container is 2,"
                      + " but provided ratio is 3.000000"),
          rule("API-110", "where ratios are bounded, both are said")
              .given(world ->
                  world.with(
                      LIMIT_RANGES,
                      LIMITS.formatted("type: Pod, maxLimitRequestRatio: {cpu: '2'}")))
              .when(world -> world.create(PODS, POD))
              .refused(
                  403,
                  "Forbidden",
                  "pods \"web\" is forbidden: cpu max limit to request ratio per Pod is 2, but no"
                      + " request is specified or request is 0"),
          rule("API-110", "a pod without a class has no priority")
              .when(world -> world.create(PODS, POD))
              .shows(
                  "{spec: {priority: 0, preemptionPolicy: PreemptLowerPriority, priorityClassName:"
                      + " null}}"),
          rule("API-110", "a pod has the number of its class")
              .when(world ->
                  world.create(
                      PODS, vary(POD, "spec:", "spec:\n  priorityClassName: system-node-critical")))
              .shows("{spec: {priority: 2000001000}}"),
          rule("API-110", "a class that is not there is refused")
              .when(
                  world -> world.create(PODS, vary(POD, "spec:", "spec:\n  priorityClassName: x")))
              .refused(
                  403,
                  "Forbidden",
                  "pods \"web\" is forbidden: no PriorityClass with name x was found"),
          rule("API-110", "a number of one's own is refused")
              .when(world -> world.create(PODS, vary(POD, "spec:", "spec:\n  priority: 7")))
              .refused(
                  403,
                  "Forbidden",
                  "pods \"web\" is forbidden: the integer value of priority (7) must not be"
                      + " provided in pod spec; priority admission controller computed 0 from the"
                      + " given PriorityClass name"),
          rule("API-110", "the default class is that of pods that name none")
              .given(world ->
                  world.with(
                      PRIORITY_CLASSES, "{metadata: {name: usual}, value: 5, globalDefault: true}"))
              .when(world -> world.create(PODS, POD))
              .shows("{spec: {priority: 5, priorityClassName: usual}}"),
          rule("API-110", "there is one default class")
              .given(world ->
                  world.with(
                      PRIORITY_CLASSES, "{metadata: {name: usual}, value: 5, globalDefault: true}"))
              .when(world ->
                  world.create(
                      PRIORITY_CLASSES, "{metadata: {name: other}, value: 6, globalDefault: true}"))
              .refused(
                  403,
                  "Forbidden",
                  "priorityclasses.scheduling.k8s.io \"other\" is forbidden: PriorityClass usual is"
                      + " already marked as default. Only one default can exist"),
          rule("API-110", "a pod stays five minutes on a node that is gone")
              .when(world -> world.create(PODS, POD))
              .shows(
                  "{spec: {tolerations: [{key: node.kubernetes.io/not-ready, operator: Exists,"
                      + " effect: NoExecute, tolerationSeconds: 300}, {key:"
                      + " node.kubernetes.io/unreachable, operator: Exists, effect: NoExecute,"
                      + " tolerationSeconds: 300}]}}"),
          rule("API-110", "who tolerates everything is told nothing more")
              .when(world ->
                  world.create(
                      PODS, vary(POD, "spec:", "spec:\n  tolerations: [{operator: Exists}]")))
              .shows("{spec: {tolerations: [{operator: Exists}]}}"),
          rule("API-110", "an ingress gets the default class")
              .given(world ->
                  world.with(
                      INGRESS_CLASSES,
                      "{metadata: {name: nginx, annotations:"
                          + " {ingressclass.kubernetes.io/is-default-class: 'true'}}, spec:"
                          + " {controller: k8s.io/nginx}}"))
              .when(world ->
                  world.create(
                      INGRESSES,
                      "{metadata: {name: i, namespace: default}, spec: {defaultBackend: {service:"
                          + " {name: s, port: {number: 80}}}}}"))
              .shows("{spec: {ingressClassName: nginx}}"),
          rule("API-110", "a container gets what its namespace gives")
              .given(world ->
                  world.with(LIMIT_RANGES, LIMITS.formatted("type: Container, max: {cpu: 1}")))
              .when(world -> world.create(PODS, POD))
              .then(answer ->
                  Assertions.assertThat(resources(answer))
                      .hasToString("{\"requests\":{\"cpu\":\"1\"},\"limits\":{\"cpu\":\"1\"}}")),
          rule("API-110", "a container has no more than its namespace allows")
              .given(world ->
                  world.with(LIMIT_RANGES, LIMITS.formatted("type: Container, max: {cpu: 1}")))
              .when(world ->
                  world.create(
                      PODS, vary(POD, "image: host", "image: host, resources: {limits: {cpu: 2}}")))
              .refused(
                  403,
                  "Forbidden",
                  "pods \"web\" is forbidden: maximum cpu usage per Container is 1, but limit is"
                      + " 2"),
          rule("API-110", "a claim is as small and as large as its namespace says")
              .given(world ->
                  world.with(
                      LIMIT_RANGES,
                      LIMITS.formatted(
                          "type: PersistentVolumeClaim, min: {storage: 2Gi}, max: {storage: 4Gi}")))
              .when(world -> world.create(CLAIMS, CLAIM))
              .refused(
                  403,
                  "Forbidden",
                  "persistentvolumeclaims \"data\" is forbidden: minimum storage usage per"
                      + " PersistentVolumeClaim is 2Gi, but request is 1Gi"),
          rule("API-114", "a quota is not exceeded")
              .given(world ->
                  world
                      .with(QUOTAS, QUOTA.formatted("requests.storage: 1536Mi, pods: 1"))
                      .with(CLAIMS, CLAIM))
              .when(world -> world.create(CLAIMS, vary(CLAIM, "name: data", "name: more")))
              .refused(
                  403,
                  "Forbidden",
                  "persistentvolumeclaims \"more\" is forbidden: exceeded quota: q, requested:"
                      + " requests.storage=1Gi, used: requests.storage=1Gi, limited:"
                      + " requests.storage=1536Mi"),
          rule("API-114", "a quota may be for one class")
              .given(world ->
                  world
                      .with(
                          QUOTAS,
                          QUOTA.formatted(
                              "fast.storageclass.storage.k8s.io/persistentvolumeclaims: 0"))
                      .with(CLAIMS, CLAIM))
              .when(world ->
                  world.create(
                      CLAIMS,
                      vary(
                          vary(CLAIM, "name: data", "name: more"),
                          "spec:",
                          "spec:\n  storageClassName: fast")))
              .refused(
                  403,
                  "Forbidden",
                  "persistentvolumeclaims \"more\" is forbidden: exceeded quota: q, requested:"
                      + " fast.storageclass.storage.k8s.io/persistentvolumeclaims=1, used:"
                      + " fast.storageclass.storage.k8s.io/persistentvolumeclaims=0, limited:"
                      + " fast.storageclass.storage.k8s.io/persistentvolumeclaims=0"),
          rule("API-114", "who is limited says what he wants")
              .given(world -> world.with(QUOTAS, QUOTA.formatted("limits.cpu: 1")))
              .when(world -> world.create(PODS, POD))
              .refused(
                  403,
                  "Forbidden",
                  "pods \"web\" is forbidden: failed quota: q: must specify limits.cpu for: app"),
          rule("API-114", "a count may be of any kind")
              .given(world -> world.with(QUOTAS, QUOTA.formatted("count/configmaps: 0")))
              .when(world -> world.create(CONFIG_MAPS, "{metadata: {name: c, namespace: default}}"))
              .refused(
                  403,
                  "Forbidden",
                  "configmaps \"c\" is forbidden: exceeded quota: q, requested: count/configmaps=1,"
                      + " used: count/configmaps=0, limited: count/configmaps=0"));

  private static JsonNode resources(dev.berth.apiserver.core.message.Answer answer) {
    return CoreRule.object(answer).at("/spec/containers/0/resources");
  }

  @ParameterizedTest
  @FieldSource("rules")
  void holds(CoreRule rule) {
    rule.check();
  }

  @Test
  void aQuotaKnowsWhatIsUsedAfterEachWrite() { // API-114
    var world = new World().with(CLAIMS, CLAIM);
    world.with(
        QUOTAS, QUOTA.formatted("requests.storage: 10Gi, persistentvolumeclaims: 4, pods: 2"));
    Assertions.assertThat(used(world)).contains("\"requests.storage\":\"1Gi\"", "\"pods\":\"0\"");
    world.with(CLAIMS, vary(CLAIM, "name: data", "name: more")).with(PODS, POD);
    Assertions.assertThat(used(world))
        .contains(
            "\"requests.storage\":\"2Gi\"", "\"pods\":\"1\"", "persistentvolumeclaims\":\"2\"");
    world.mergeStatus(PODS, "default/web", "{status: {phase: Succeeded}}");
    Assertions.assertThat(used(world)).contains("\"pods\":\"0\"");
    world.merge(CLAIMS, "default/data", "{metadata: {finalizers: null}}");
    world.delete(CLAIMS, "default/data");
    Assertions.assertThat(used(world)).contains("\"requests.storage\":\"1Gi\"");
    world.merge(QUOTAS, "default/q", "{spec: {hard: {pods: 7, secrets: 1}}}");
    Assertions.assertThat(used(world))
        .contains("\"secrets\":\"0\"", "\"requests.storage\":\"1Gi\"");
    Assertions.assertThat(world.get(QUOTAS, "default/q").at("/status/hard/pods").asText())
        .isEqualTo("7");
  }

  @Test
  void whatAVolumeMayHaveGrownToIsUsed() { // RSZ-79
    var world = new World().with(CLAIMS, CLAIM);
    world.with(QUOTAS, QUOTA.formatted("requests.storage: 10Gi"));

    world.mergeStatus(CLAIMS, "default/data", "{status: {allocatedResources: {storage: 3Gi}}}");
    Assertions.assertThat(used(world)).contains("\"requests.storage\":\"3Gi\"");
    world.mergeStatus(CLAIMS, "default/data", "{status: {allocatedResources: {storage: 512Mi}}}");
    Assertions.assertThat(used(world)).contains("\"requests.storage\":\"1Gi\"");
  }

  private static String used(World world) {
    return world.get(QUOTAS, "default/q").at("/status/used").toString();
  }

  @Test
  void everyNamespaceHasItsAccountAndTheCertificate() { // API-89
    var world = new World().with(NAMESPACES, "{metadata: {name: shop}}");
    Assertions.assertThat(world.find(SERVICE_ACCOUNTS, "shop/default")).isPresent();
    world.with(
        CONFIG_MAPS,
        "{metadata: {name: kube-root-ca.crt, namespace: kube-system}, data: {ca.crt: one}}");
    Assertions.assertThat(certificate(world, "shop")).isEqualTo("one");
    world.with(NAMESPACES, "{metadata: {name: inn}}");
    Assertions.assertThat(certificate(world, "inn")).isEqualTo("one");
    world.delete(SERVICE_ACCOUNTS, "inn/default");
    Assertions.assertThat(world.find(SERVICE_ACCOUNTS, "inn/default")).isPresent();
    world.merge(CONFIG_MAPS, "shop/kube-root-ca.crt", "{data: {ca.crt: forged}}");
    Assertions.assertThat(certificate(world, "shop")).isEqualTo("one");
    world.delete(NAMESPACES, "inn");
    Assertions.assertThat(world.find(NAMESPACES, "inn")).isEmpty();
  }

  private static String certificate(World world, String namespace) {
    return world.get(CONFIG_MAPS, namespace + "/kube-root-ca.crt").at("/data/ca.crt").asText();
  }
}
