package dev.berth.apiserver.core.kind.network;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.field.Field;
import dev.berth.apiserver.core.field.Names;
import dev.berth.apiserver.core.field.Trees;
import dev.berth.apiserver.core.kind.Rules;
import dev.berth.kube.value.Json;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;

/// Services (API-03). What was given out to one stays its own while it wants it.
final class ServiceRules implements Rules {
  private static final String[] TYPES = {"ClusterIP", "ExternalName", "LoadBalancer", "NodePort"};
  private static final int AFFINITY_SECONDS = 10_800;

  @Override
  public Names names() {
    return Names.LABEL;
  }

  @Override
  public boolean createdByUpdate() {
    return true;
  }

  @Override
  public void setDefaults(ObjectNode service) {
    var spec = Trees.objectAt(service, "spec");
    Trees.setDefault(spec, "type", "ClusterIP");
    Trees.setDefault(spec, "sessionAffinity", "None");
    if (spec.path("sessionAffinity").asText().equals("None")) spec.remove("sessionAffinityConfig");
    else
      Trees.setDefault(
          Trees.objectAt(Trees.objectAt(spec, "sessionAffinityConfig"), "clientIP"),
          "timeoutSeconds",
          AFFINITY_SECONDS);
    for (var each : spec.path("ports")) if (each instanceof ObjectNode port) setPort(port);
    if (!isAlias(spec)) Trees.setDefault(spec, "internalTrafficPolicy", "Cluster");
    if (wantsNodePorts(spec)) Trees.setDefault(spec, "externalTrafficPolicy", "Cluster");
    if (isBalanced(spec)) Trees.setDefault(spec, "allocateLoadBalancerNodePorts", true);
  }

  private static void setPort(ObjectNode port) {
    Trees.setDefault(port, "protocol", "TCP");
    var target = port.path("targetPort");
    if (target.isMissingNode() || target.asText().isEmpty() || target.asText().equals("0"))
      port.set("targetPort", port.path("port").deepCopy());
  }

  private static boolean isAlias(JsonNode spec) {
    return Json.text(spec, "type").equals("ExternalName");
  }

  private static boolean isBalanced(JsonNode spec) {
    return Json.text(spec, "type").equals("LoadBalancer");
  }

  private static boolean wantsNodePorts(JsonNode spec) {
    return isBalanced(spec) || Json.text(spec, "type").equals("NodePort");
  }

  @Override
  public void start(ObjectNode service, Instant now) {
    service.putObject("status").putObject("loadBalancer");
  }

  /// A PUT of what a person wrote does not have what was given out.
  @Override
  public void change(ObjectNode service, ObjectNode stored) {
    var spec = Trees.objectAt(service, "spec");
    var before = stored.path("spec");
    if (isAlias(spec) || isAlias(before)) return;
    if (Json.text(spec, "clusterIP").isEmpty() && before instanceof ObjectNode was)
      for (var field : List.of("clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy"))
        if (!spec.has(field)) Trees.restore(spec, was, field);
    if (wantsNodePorts(spec) && wantsNodePorts(before)) keepPorts(spec, before);
  }

  private static void keepPorts(JsonNode spec, JsonNode before) {
    for (var each : spec.path("ports"))
      if (each instanceof ObjectNode port && !port.has("nodePort"))
        for (var old : before.path("ports"))
          if (old.path("port").asInt() == port.path("port").asInt()
              && Json.text(old, "protocol").equals(Json.text(port, "protocol"))
              && old.has("nodePort")) port.set("nodePort", old.get("nodePort"));
  }

  @Override
  public void check(Field service) {
    var spec = service.at("spec");
    spec.at("type").demandOneOf(TYPES);
    spec.at("sessionAffinity").demandOneOf("ClientIP", "None");
    var selector = spec.at("selector");
    for (var key : selector.names()) {
      Names.QUALIFIED.checkKey(selector, key);
      Names.LABEL_VALUE.check(selector.key(key));
    }
    boolean headless = spec.at("clusterIP").is("None");
    if (spec.at("type").is("ExternalName")) {
      var name = spec.at("externalName");
      if (name.demand()) Names.SUBDOMAIN.check(name);
    } else {
      if (!headless) spec.at("ports").demand();
      if (headless && !spec.at("type").is("ClusterIP"))
        spec.at("clusterIPs")
            .key("0")
            .invalid("may not be set to 'None' for %s services".formatted(spec.at("type").text()));
    }
    checkPorts(spec.at("ports"));
    checkNodePorts(spec);
  }

  private static void checkNodePorts(Field spec) {
    var seen = new HashSet<String>();
    for (var port : spec.at("ports").elements()) {
      var number = port.at("nodePort");
      if (number.node().asInt() == 0) continue;
      if (spec.at("type").is("ClusterIP"))
        number.forbidden("may not be used when `type` is 'ClusterIP'");
      if (!seen.add(number.text() + port.at("protocol").text())) number.duplicate();
    }
  }

  private static void checkPorts(Field ports) {
    var names = new HashSet<String>();
    var numbers = new HashSet<String>();
    boolean several = ports.node().size() > 1;
    for (var port : ports.elements()) {
      var name = port.at("name");
      if (!name.isEmpty()) Names.LABEL.check(name);
      else if (several) name.required();
      if (!name.isEmpty() && !names.add(name.text())) name.duplicate();
      checkPort(port.at("port"));
      if (port.at("targetPort").node().isNumber()) checkPort(port.at("targetPort"));
      port.at("protocol").demandOneOf("SCTP", "TCP", "UDP");
      if (!numbers.add(port.at("port").text() + port.at("protocol").text())) port.duplicate();
    }
  }

  static void checkPort(Field port) {
    long number = port.node().asLong();
    if (number < 1 || number > 65535) port.invalid("must be between 1 and 65535, inclusive");
  }

  @Override
  public void checkChange(Field service, Field stored) {
    var spec = service.at("spec");
    var before = stored.at("spec");
    if (spec.at("type").is("ExternalName") || before.at("type").is("ExternalName")) return;
    var address = before.at("clusterIP");
    if (!address.isEmpty() && !spec.at("clusterIP").same(address))
      spec.at("clusterIPs")
          .namedAs("spec.clusterIPs[0]")
          .standingAs(spec.at("clusterIP").node())
          .invalid("may not change once set");
  }
}
