package dev.berth.apiserver.core;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.field.FieldError;
import dev.berth.apiserver.core.field.Trees;
import dev.berth.apiserver.core.message.Refusals;
import dev.berth.apiserver.core.message.RefusedException;
import dev.berth.apiserver.core.state.Stored;
import dev.berth.apiserver.core.state.Written;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.StoredResources;
import dev.berth.kube.value.Json;
import java.util.List;
import java.util.Optional;

/// Gives services their addresses and node ports (API-03). Who has which address stands in an
/// IPAddress of that name, as upstream keeps it, so that whether one is free is a single look.
final class ServiceAddresses {
  /// 10.96.0.0/12, of which the first and the last are nobody's, and the second is our own.
  private static final int NETWORK = 10 << 24 | 96 << 16;

  private static final int SIZE = 1 << 20;
  private static final int MOST_ATTEMPTS = 1000;
  private static final List<String> FIELDS =
      List.of("clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy");

  private final Draft draft;

  ServiceAddresses(Draft draft) {
    this.draft = draft;
  }

  /// Completes a service that is being written.
  ///
  /// @param before as it is; empty: it is new
  void complete(ObjectKey key, ObjectNode service, Optional<Stored> before) {
    var spec = Trees.objectAt(service, "spec");
    var type = Json.text(spec, "type");
    if (type.equals("ExternalName")) {
      if (!Json.text(spec, "clusterIP").equals("None")) spec.remove(FIELDS);
      return;
    }
    var had = before.map(ServiceAddresses::address).orElse("");
    var wanted = Json.text(spec, "clusterIP");
    var listed =
        before
            .map(it -> it.object().path("spec").path("clusterIPs"))
            .orElse(MissingNode.getInstance());
    if (!spec.path("clusterIPs").equals(listed)) checkList(key, wanted, spec.path("clusterIPs"));
    var address = wanted.isEmpty() ? free(key) : wanted;
    if (!wanted.isEmpty() && !wanted.equals("None") && !wanted.equals(had)) claim(key, wanted);
    spec.put("clusterIP", address);
    if (spec.path("clusterIPs").isEmpty()) spec.putArray("clusterIPs").add(address);
    if (!spec.has("ipFamilies")) spec.putArray("ipFamilies").add("IPv4");
    Trees.setDefault(spec, "ipFamilyPolicy", "SingleStack");
    boolean balanced =
        type.equals("LoadBalancer") && spec.path("allocateLoadBalancerNodePorts").asBoolean();
    if (balanced || type.equals("NodePort")) new NodePorts(draft, key, before).give(spec);
    else if (type.equals("LoadBalancer")) new NodePorts(draft, key, before).check(spec);
    else if (before.isPresent())
      for (var port : spec.path("ports"))
        if (port instanceof ObjectNode object) object.remove("nodePort");
  }

  /// The list says the same as the one address, or nothing.
  private void checkList(ObjectKey key, String one, JsonNode list) {
    if (list.isEmpty()) return;
    if (one.isEmpty())
      throw refused(key, list.toString(), "must be empty when `clusterIP` is not specified");
    if (!list.path(0).asText().equals(one))
      throw refused(key, list.toString(), "first value must match `clusterIP`");
  }

  private static String address(Stored service) {
    return Json.text(service.object().path("spec"), "clusterIP");
  }

  private String free(ObjectKey key) {
    for (int i = 0; i < MOST_ATTEMPTS; i++) {
      var address = text(NETWORK + 2 + draft.ids().below(SIZE - 3));
      if (isFree(address)) return address;
    }
    throw refused(key, "null", "failed to allocate an address: the range is full");
  }

  private boolean isFree(String address) {
    return draft.get(StoredResources.IP_ADDRESSES, ObjectKey.cluster(address)).isEmpty();
  }

  private void claim(ObjectKey key, String address) {
    var value = "[\"" + address + "\"]";
    if (!isInRange(address))
      throw refused(
          key,
          value,
          "failed to allocate IP %s: the provided IP (%s) is not in the valid range. The range of"
              + " valid IPs is 10.96.0.0/12",
          address,
          address);
    if (!isFree(address))
      throw refused(
          key, value, "failed to allocate IP %s: provided IP is already allocated", address);
  }

  private static boolean isInRange(String address) {
    var parts = address.split("\\.", -1);
    if (parts.length != 4) return false;
    int number = 0;
    for (var part : parts) {
      if (!part.matches("0|[1-9][0-9]{0,2}") || Integer.parseInt(part) > 255) return false;
      number = number << 8 | Integer.parseInt(part);
    }
    return number > NETWORK && number < NETWORK + SIZE - 1;
  }

  private static String text(int address) {
    return "%d.%d.%d.%d"
        .formatted(address >>> 24, address >>> 16 & 255, address >>> 8 & 255, address & 255);
  }

  private RefusedException refused(ObjectKey key, String value, String why, Object... words) {
    var error = FieldError.invalid("spec.clusterIPs", value, why.formatted(words));
    return new RefusedException(
        Refusals.invalid(StoredResources.SERVICES, key.name(), List.of(error)));
  }

  /// Notes who has which address, in the same transaction.
  void follow(Written written) {
    if (!written.resource().equals(StoredResources.SERVICES)) return;
    var before =
        switch (written) {
          case Written.Put put -> put.before().map(ServiceAddresses::address).orElse("");
          case Written.Removed removed -> address(removed.before());
        };
    var after = written instanceof Written.Put put ? address(put.after()) : "";
    if (before.equals(after)) return;
    if (!before.isEmpty())
      draft
          .get(StoredResources.IP_ADDRESSES, ObjectKey.cluster(before))
          .ifPresent(gone -> draft.remove(StoredResources.IP_ADDRESSES, gone));
    if (!after.isEmpty() && !after.equals("None")) note(after, written.key());
  }

  private void note(String address, ObjectKey service) {
    var key = ObjectKey.cluster(address);
    if (draft.get(StoredResources.IP_ADDRESSES, key).isPresent()) return;
    var object = JsonNodeFactory.instance.objectNode();
    object
        .putObject("metadata")
        .put("name", address)
        .putObject("labels")
        .put("ipaddress.kubernetes.io/ip-family", "IPv4")
        .put("ipaddress.kubernetes.io/managed-by", "ipallocator");
    object
        .putObject("spec")
        .putObject("parentRef")
        .put("group", "")
        .put("resource", "services")
        .put("namespace", service.namespace())
        .put("name", service.name());
    var kind = draft.state().kinds().find(StoredResources.IP_ADDRESSES).orElseThrow();
    new Creation(draft, kind, Core.SELF).create("", object);
  }
}
