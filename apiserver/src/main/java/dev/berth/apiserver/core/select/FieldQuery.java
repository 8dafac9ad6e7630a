package dev.berth.apiserver.core.select;

import static java.util.Map.entry;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import dev.berth.kube.object.StoredResources;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// A field selector: `=`, `==` and `!=`, joined by commas; all must hold (API-92, API-93).
record FieldQuery(List<Condition> conditions) {
  private static final List<String> EVERYWHERE = List.of("metadata.name", "metadata.namespace");

  /// Fields by which each kind can be selected, beside name and namespace.
  private static final Map<Resource, List<String>> OWN =
      Map.ofEntries(
          entry(
              Resources.PODS,
              List.of(
                  "spec.nodeName",
                  "spec.restartPolicy",
                  "spec.schedulerName",
                  "spec.serviceAccountName",
                  "spec.hostNetwork",
                  "status.phase",
                  "status.podIP",
                  "status.podIPs",
                  "status.nominatedNodeName",
                  "spec.host")),
          entry(
              Resources.EVENTS,
              List.of(
                  "involvedObject.kind",
                  "involvedObject.namespace",
                  "involvedObject.name",
                  "involvedObject.uid",
                  "involvedObject.apiVersion",
                  "involvedObject.resourceVersion",
                  "involvedObject.fieldPath",
                  "reason",
                  "reportingComponent",
                  "source",
                  "type")),
          entry(
              StoredResources.NEW_EVENTS,
              List.of(
                  "regarding.kind",
                  "regarding.namespace",
                  "regarding.name",
                  "regarding.uid",
                  "regarding.apiVersion",
                  "regarding.resourceVersion",
                  "regarding.fieldPath",
                  "reason",
                  "reportingController",
                  "type")),
          entry(Resources.JOBS, List.of("status.successful")),
          entry(StoredResources.REPLICATION_CONTROLLERS, List.of("status.replicas")),
          entry(StoredResources.SERVICES, List.of("spec.clusterIP", "spec.type")),
          entry(Resources.NODES, List.of("spec.unschedulable")),
          entry(Resources.NAMESPACES, List.of("status.phase")),
          entry(StoredResources.DEVICE_SLICES, List.of("spec.nodeName", "spec.driver")),
          entry(Resources.SECRETS, List.of("type")));

  /// @param negated whether the field must differ from `value`
  record Condition(String field, String value, boolean negated) {
    boolean holds(JsonNode object) {
      return value(object).equals(value) != negated;
    }

    /// An absent flag is a false one; any other absent field is the empty text.
    private String value(JsonNode object) {
      return switch (field) {
        case "spec.host" -> at(object, "spec.nodeName");
        case "source" -> source(object);
        case "status.podIPs" -> ""; // upstream takes the name, and knows no value
        case "spec.unschedulable", "spec.hostNetwork" ->
            Boolean.toString(at(object, field).equals("true"));
        case "status.successful" -> number(object, "status.succeeded");
        case "status.replicas" -> number(object, field);
        default -> at(object, field);
      };
    }

    private static String source(JsonNode event) {
      var component = at(event, "source.component");
      return component.isEmpty() ? at(event, "reportingComponent") : component;
    }

    /// An absent count is 0.
    private static String number(JsonNode object, String path) {
      var count = at(object, path);
      return count.isEmpty() ? "0" : count;
    }

    private static String at(JsonNode object, String path) {
      var node = object;
      for (var name : path.split("\\.", -1)) node = node.path(name);
      return node.asText("");
    }
  }

  FieldQuery {
    conditions = List.copyOf(conditions);
  }

  static FieldQuery parse(Resource resource, String text) throws SelectorException {
    return parse(OWN.getOrDefault(resource, List.of()), text);
  }

  /// @param own the fields that the kind has beside those of all kinds
  static FieldQuery parse(List<String> own, String text) throws SelectorException {
    var conditions = new ArrayList<Condition>();
    for (var term : FieldTerm.parse(text)) {
      checkSelectable(own, term.field());
      conditions.add(new Condition(term.field(), term.value(), term.negated()));
    }
    return new FieldQuery(conditions);
  }

  boolean admits(JsonNode object) {
    for (var condition : conditions) if (!condition.holds(object)) return false;
    return true;
  }

  boolean isAll() {
    return conditions.isEmpty();
  }

  private static void checkSelectable(List<String> own, String field) throws SelectorException {
    if (EVERYWHERE.contains(field)) return;
    if (own.contains(field)) return;
    throw new SelectorException(
        own.isEmpty()
            ? "\"%s\" is not a known field selector: only \"metadata.name\", \"metadata.namespace\""
                .formatted(field)
            : "field label not supported: " + field);
  }
}
