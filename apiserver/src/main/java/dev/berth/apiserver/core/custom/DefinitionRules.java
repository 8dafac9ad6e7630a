package dev.berth.apiserver.core.custom;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.custom.rule.CelPrograms;
import dev.berth.apiserver.core.custom.rule.CelRule;
import dev.berth.apiserver.core.custom.rule.CelSource;
import dev.berth.apiserver.core.field.Field;
import dev.berth.apiserver.core.field.Names;
import dev.berth.apiserver.core.kind.Rules;
import dev.berth.kube.value.Json;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/// CustomResourceDefinitions (API-125).
public final class DefinitionRules implements Rules {
  private static final String APPROVED = "api-approved.kubernetes.io";

  private static final Pattern SIMPLE_PATH = Pattern.compile("(\\.[A-Za-z0-9_-]+)+");

  private static final Set<String> COLUMN_TYPES =
      Set.of("integer", "number", "string", "boolean", "date");

  @Override
  public Generation generation() {
    return Generation.FROM_ONE;
  }

  @Override
  public boolean versionlessUpdate() {
    return false;
  }

  @Override
  public List<String> keptByStatusWrite() {
    return List.of("labels", "annotations", "ownerReferences");
  }

  @Override
  public void prepare(ObjectNode definition) {
    if (CelRule.count(definition.path("spec")) > CelRule.MOST_OF_A_DEFINITION) return;
    var sources = new HashSet<CelSource>();
    for (var version : definition.path("spec").path("versions"))
      sources.addAll(Structural.root(version.path("schema").path("openAPIV3Schema")).sources());
    CelPrograms.demand(sources);
  }

  @Override
  public void setDefaults(ObjectNode definition) {
    if (!(definition.get("spec") instanceof ObjectNode spec)) return;
    if (!spec.path("preserveUnknownFields").asBoolean()) spec.remove("preserveUnknownFields");
    spec.withObject("conversion");
    if (spec.path("conversion").path("strategy").isMissingNode())
      spec.withObject("conversion").put("strategy", "None");
    if (!(spec.get("names") instanceof ObjectNode names)) return;
    var kind = Json.text(names, "kind");
    if (Json.text(names, "singular").isEmpty())
      names.put("singular", kind.toLowerCase(Locale.ROOT));
    if (Json.text(names, "listKind").isEmpty() && !kind.isEmpty())
      names.put("listKind", kind + "List");
  }

  /// The version in which objects will be stored is noted; the rest of the status is
  /// `core.Definitions`'.
  @Override
  public void start(ObjectNode definition, Instant now) {
    noteStorage(definition);
  }

  @Override
  public void change(ObjectNode definition, ObjectNode stored) {
    noteStorage(definition);
  }

  private static void noteStorage(ObjectNode definition) {
    for (var version : definition.path("spec").path("versions")) {
      if (!version.path("storage").asBoolean()) continue;
      var all = definition.withObject("status").withArray("storedVersions");
      var name = Json.text(version, "name");
      for (var each : all) if (each.asText().equals(name)) return;
      all.add(name);
    }
  }

  @Override
  public void check(Field definition) {
    var spec = definition.at("spec");
    var names = spec.at("names");
    var name = definition.at("metadata").at("name");
    var full = names.at("plural").text() + "." + spec.at("group").text();
    if (!name.text().equals(full)) name.invalid("must be spec.names.plural+\".\"+spec.group");
    checkGroup(definition, spec.at("group"));
    if (spec.at("scope").demand() && !spec.at("scope").isOneOf("Cluster", "Namespaced"))
      spec.at("scope").notSupported("Cluster", "Namespaced");
    checkNames(names);
    if (CelRule.count(spec.node()) > CelRule.MOST_OF_A_DEFINITION)
      spec.at("versions")
          .invalid(
              "must not have more than %d rules in CEL altogether"
                  .formatted(CelRule.MOST_OF_A_DEFINITION));
    else checkVersions(spec.at("versions"));
    if (spec.at("preserveUnknownFields").node().asBoolean())
      spec.at("preserveUnknownFields")
          .invalid(
              "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in"
                  + " spec.versions[*].schema instead");
    // Only this one is here: webhooks are not called.
    if (!spec.at("conversion").at("strategy").is("None"))
      spec.at("conversion").at("strategy").notSupported("None");
  }

  private static void checkGroup(Field definition, Field group) {
    if (!group.demand()) return;
    Names.SUBDOMAIN.check(group);
    if (!group.text().contains(".")) group.invalid("should be a domain with at least one dot");
    var text = group.text();
    boolean isProtected =
        text.equals("k8s.io")
            || text.endsWith(".k8s.io")
            || text.equals("kubernetes.io")
            || text.endsWith(".kubernetes.io");
    var approval = definition.at("metadata").at("annotations").key(APPROVED);
    if (isProtected && approval.isEmpty())
      approval.required(
          "protected groups must have approval annotation \"api-approved.kubernetes.io\", see"
              + " https://github.com/kubernetes/enhancements/pull/1111");
  }

  private static void checkNames(Field names) {
    if (names.at("plural").demand()) Names.LABEL.check(names.at("plural"));
    if (names.at("singular").demand()) Names.LABEL.check(names.at("singular"));
    for (var each : names.at("shortNames").elements()) Names.LABEL.check(each);
    for (var each : names.at("categories").elements()) Names.LABEL.check(each);
    for (var field : List.of("kind", "listKind")) {
      var kind = names.at(field);
      if (!kind.demand()) continue;
      if (!kind.text().matches("[A-Za-z]([-A-Za-z0-9]*[A-Za-z0-9])?"))
        kind.invalid("may have mixed case, but should otherwise match: " + Names.LABEL.rule());
    }
    if (!names.at("kind").isEmpty() && names.at("kind").same(names.at("listKind")))
      names.at("listKind").invalid("kind and listKind may not be the same");
  }

  private static void checkVersions(Field versions) {
    var known = new HashSet<String>();
    int storage = 0;
    if (versions.isEmpty()) {
      versions.required("must have at least one version");
      return;
    }
    for (var version : versions.elements()) {
      if (version.at("name").demand()) Names.LABEL.check(version.at("name"));
      if (!known.add(version.at("name").text()))
        versions.invalid("must contain unique version names");
      if (version.at("storage").node().asBoolean()) storage++;
      var schema = version.at("schema").at("openAPIV3Schema");
      if (schema.isEmpty()) schema.required("schemas are required");
      else new StructuralCheck(schema).check();
      version.at("additionalPrinterColumns").elements().forEach(DefinitionRules::checkColumn);
      checkScale(version.at("subresources").at("scale"));
    }
    if (storage != 1) versions.invalid("must have exactly one version marked as storage version");
  }

  private static void checkColumn(Field column) {
    column.at("name").demand();
    if (column.at("type").demand() && !COLUMN_TYPES.contains(column.at("type").text()))
      column.at("type").invalid("must be one of boolean,date,integer,number,string");
    if (column.at("jsonPath").demand()) checkPath(column.at("jsonPath"));
  }

  private static void checkPath(Field path) {
    try {
      JsonPath.of(path.text());
    } catch (IllegalArgumentException unreadable) {
      path.invalid(String.valueOf(unreadable.getMessage()));
    }
  }

  private static void checkScale(Field scale) {
    if (!scale.isSet()) return;
    for (var field : List.of("specReplicasPath", "statusReplicasPath")) scale.at(field).demand();
    checkScalePath(scale.at("specReplicasPath"), ".spec");
    checkScalePath(scale.at("statusReplicasPath"), ".status");
    checkScalePath(scale.at("labelSelectorPath"), ".spec", ".status");
  }

  private static void checkScalePath(Field path, String... within) {
    if (path.isEmpty()) return;
    if (!SIMPLE_PATH.matcher(path.text()).matches())
      path.invalid("should be a simple json path without any array notation");
    else if (Arrays.stream(within).noneMatch(each -> path.text().startsWith(each + ".")))
      path.invalid("should be a json path under " + String.join(" or ", within));
  }

  @Override
  public void checkNew(Field definition) {
    checkCosts(definition, Map.of());
  }

  /// @param accepted schemas by the name of their version: what has been accepted stays so
  private static void checkCosts(Field definition, Map<String, JsonNode> accepted) {
    if (!definition.errors().isEmpty()) return;
    for (var version : definition.at("spec").at("versions").elements()) {
      var schema = version.at("schema").at("openAPIV3Schema");
      if (!schema.node().equals(accepted.get(version.at("name").text()))) RuleCosts.check(schema);
    }
  }

  @Override
  public void checkChange(Field definition, Field stored) {
    var accepted = new HashMap<String, JsonNode>();
    for (var version : stored.at("spec").at("versions").elements())
      accepted.put(version.at("name").text(), version.at("schema").at("openAPIV3Schema").node());
    checkCosts(definition, accepted);
    if (!Definition.established(stored.node())) return;
    var spec = definition.at("spec");
    var before = stored.at("spec");
    for (var field : List.of("group", "scope")) spec.at(field).immutable(before.at(field));
    for (var field : List.of("plural", "kind"))
      spec.at("names").at(field).immutable(before.at("names").at(field));
    checkStoredVersions(definition, stored);
  }

  /// A version in which objects may be stored cannot go.
  private static void checkStoredVersions(Field definition, Field stored) {
    var names = new HashSet<String>();
    for (var version : definition.at("spec").at("versions").elements())
      names.add(version.at("name").text());
    for (var version : stored.at("status").at("storedVersions").elements())
      if (!names.contains(version.text()))
        definition
            .at("status")
            .at("storedVersions")
            .invalid(
                "missing from spec.versions; %s was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in %s and removes %s from status.storedVersions"
                    .formatted(version.text(), version.text(), version.text()));
  }
}
