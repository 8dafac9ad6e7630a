package dev.berth.node.pod.start;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.model.Pod;
import dev.berth.kube.value.Json;
import dev.berth.kube.value.Quantity;
import dev.berth.node.runtime.EngineSpec;
import dev.berth.node.runtime.EngineSpec.Capabilities;
import dev.berth.node.runtime.EngineSpec.Input;
import dev.berth.node.runtime.EngineSpec.Profile;
import dev.berth.node.runtime.EngineSpec.Resources;
import dev.berth.node.runtime.PodSandbox;
import dev.berth.node.runtime.PodSandbox.Dns;
import dev.berth.node.runtime.PodSandbox.Share;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/// What a container engine is told of a container, from the text of its pod.
final class EngineSpecs {
  private static final String CONTEXT = "securityContext";
  private static final long LEAST_SHARES = 2;
  private static final long SHARES_OF_A_CORE = 1024;
  private static final long LEAST_QUOTA = 1000;

  private EngineSpecs() {}

  /// @throws UnusableException if the pod asks for something that no engine is asked for
  static EngineSpec of(Pod pod, ContainerTemplate container, Map<String, String> environment)
      throws UnusableException {
    var spec = container.spec();
    var ofPod = pod.spec().path(CONTEXT);
    var own = spec.path(CONTEXT);
    boolean privileged = own.path("privileged").asBoolean();
    return new EngineSpec(
        sandbox(pod),
        words(spec.path("command"), environment),
        words(spec.path("args"), environment),
        number(Assembly.either(own, ofPod, "runAsUser")),
        number(Assembly.either(own, ofPod, "runAsGroup")),
        Assembly.either(own, ofPod, "runAsNonRoot").asBoolean(),
        new Capabilities(
            texts(own.path("capabilities").path("add")),
            texts(own.path("capabilities").path("drop"))),
        seccomp(Assembly.either(own, ofPod, "seccompProfile"), privileged),
        appArmor(Assembly.either(own, ofPod, "appArmorProfile")),
        !Json.text(own, "procMount").equals("Unmasked"),
        resources(pod, spec.path("resources")),
        new Input(
            spec.path("stdin").asBoolean(),
            spec.path("stdinOnce").asBoolean(),
            spec.path("tty").asBoolean()),
        Json.text(ofPod, "supplementalGroupsPolicy").equals("Strict"));
  }

  /// Pods share the node's network, unless one says in as many words that it does not want to.
  private static PodSandbox sandbox(Pod pod) throws UnusableException {
    var spec = pod.spec();
    if (!spec.path(CONTEXT).path("sysctls").isEmpty())
      throw new UnusableException(
          "securityContext.sysctls: kernel parameters are not set here; a pod shares those of its"
              + " node");
    var network = spec.path("hostNetwork");
    return new PodSandbox(
        pod.meta().namespace(),
        pod.meta().name(),
        network.isBoolean() && !network.asBoolean() ? Share.IN_POD : Share.WITH_NODE,
        pid(spec),
        spec.path("hostIPC").asBoolean() ? Share.WITH_NODE : Share.IN_POD,
        dns(spec),
        ContainerTemplate.of(pod)
            .anyMatch(it -> it.spec().path(CONTEXT).path("privileged").asBoolean()),
        pod.meta().labels(),
        Json.text(spec, "runtimeClassName"),
        "");
  }

  private static Share pid(JsonNode spec) {
    if (spec.path("hostPID").asBoolean()) return Share.WITH_NODE;
    return spec.path("shareProcessNamespace").asBoolean() ? Share.IN_POD : Share.NOTHING;
  }

  private static Optional<Dns> dns(JsonNode spec) throws UnusableException {
    var config = spec.path("dnsConfig");
    if (config.isEmpty()) return Optional.empty();
    if (!Json.text(spec, "dnsPolicy").equals("None"))
      throw new UnusableException(
          "dnsConfig is taken only with dnsPolicy None: nothing is known here of a cluster's name"
              + " server");
    return Optional.of(
        new Dns(
            texts(config.path("nameservers")),
            texts(config.path("searches")),
            Json.list(
                config.path("options"),
                option ->
                    option.hasNonNull("value")
                        ? Json.text(option, "name") + ":" + Json.text(option, "value")
                        : Json.text(option, "name"))));
  }

  /// A pod that says nothing gets the engine's own profile, and one that is privileged none.
  private static Profile seccomp(JsonNode wanted, boolean privileged) {
    if (privileged) return Profile.of(Profile.Kind.UNCONFINED);
    var profile = profile(wanted);
    return profile.kind() == Profile.Kind.UNSAID
        ? Profile.of(Profile.Kind.RUNTIME_DEFAULT)
        : profile;
  }

  private static Profile appArmor(JsonNode wanted) {
    return profile(wanted);
  }

  private static Profile profile(JsonNode wanted) {
    return switch (Json.text(wanted, "type")) {
      case "RuntimeDefault" -> Profile.of(Profile.Kind.RUNTIME_DEFAULT);
      case "Unconfined" -> Profile.of(Profile.Kind.UNCONFINED);
      case "Localhost" ->
          new Profile(Profile.Kind.LOCALHOST, Json.text(wanted, "localhostProfile"));
      case String _ -> Profile.of(Profile.Kind.UNSAID);
    };
  }

  /// As kubelets reckon them: what is requested is a weight, what is limited a quota.
  private static Resources resources(Pod pod, JsonNode resources) {
    var limits = resources.path("limits");
    var requests = resources.path("requests");
    var cpu = Json.quantity(limits, "cpu");
    var share = Json.quantity(requests, "cpu").or(() -> cpu);
    return new Resources(
        Math.max(LEAST_SHARES, share.map(it -> times(it, SHARES_OF_A_CORE)).orElse(0L)),
        cpu.map(it -> Math.max(LEAST_QUOTA, times(it, Resources.CPU_PERIOD))).orElse(0L),
        Json.quantity(limits, "memory").map(Quantity::toLong).orElse(0L),
        OomScore.of(pod, resources));
  }

  private static long times(Quantity amount, long factor) {
    return amount.amount().multiply(BigDecimal.valueOf(factor)).longValue();
  }

  private static OptionalLong number(JsonNode asked) {
    return asked.isNumber() ? OptionalLong.of(asked.asLong()) : OptionalLong.empty();
  }

  private static List<String> texts(JsonNode array) {
    return Json.list(array, JsonNode::asText);
  }

  private static List<String> words(JsonNode array, Map<String, String> environment) {
    return Json.list(array, word -> Expansion.of(word.asText(), environment));
  }
}
