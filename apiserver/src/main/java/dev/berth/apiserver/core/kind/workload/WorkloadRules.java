package dev.berth.apiserver.core.kind.workload;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.field.Field;
import dev.berth.apiserver.core.field.Trees;
import dev.berth.apiserver.core.kind.Rules;
import dev.berth.apiserver.core.kind.Selectors;
import dev.berth.kube.model.LabelSelector;
import dev.berth.kube.value.Json;
import java.time.Instant;
import java.util.List;

/// What the kinds with a template for pods have in common (API-01, API-45).
interface WorkloadRules extends Rules {
  @Override
  default Generation generation() {
    return Generation.FROM_ONE;
  }

  @Override
  default boolean goesQuietly() {
    return true;
  }

  @Override
  default List<String> quantities() {
    return PodTemplates.quantities("spec.template.spec");
  }

  @Override
  default void start(ObjectNode object, Instant now) {
    object.putObject("status");
  }

  /// The template's labels are those by which its pods are found.
  ///
  /// @param kind as the message names it, such as `deployment`
  static void checkSelector(Field spec, String kind) {
    var selector = spec.at("selector");
    if (!selector.isSet()) {
      selector.required();
      return;
    }
    int before = spec.errors().size();
    if (Selectors.selectsAll(selector)) selector.invalid("empty selector is invalid for " + kind);
    Selectors.check(selector);
    if (spec.errors().size() == before) checkMatches(selector, spec.at("template"));
  }

  /// @param selector with which nothing is wrong by itself
  static void checkMatches(Field selector, Field template) {
    var labels = template.at("metadata").at("labels");
    if (!LabelSelector.of(selector.node()).matches(Json.texts(labels.node())))
      labels.invalid("`selector` does not match template `labels`");
  }

  /// Says so of each field that is below zero.
  static void checkCounts(Field spec, String... fields) {
    for (var field : fields) spec.at(field).atLeast(0);
  }

  /// A number, or a part of a hundred such as `25%`.
  static void checkPart(Field part) {
    if (!part.isSet()) return;
    if (part.node().isNumber()) {
      part.atLeast(0);
      return;
    }
    var text = part.text();
    if (!text.matches("[0-9]{1,9}%"))
      part.invalid("a valid percent string must be a numeric string followed by an ending '%'");
    else if (percent(text) > 100) part.invalid("must not be greater than 100%");
  }

  static boolean isZero(Field part) {
    return part.node().isNumber() ? part.node().asLong() == 0 : part.text().matches("0{1,9}%");
  }

  private static int percent(String text) {
    return Integer.parseInt(text.substring(0, text.length() - 1));
  }

  /// Says so of each field of the specification that differs from the stored one.
  static void checkImmutable(Field object, Field stored, String... fields) {
    for (var field : fields) object.at("spec").at(field).immutable(stored.at("spec").at(field));
  }

  /// Sets a field that is a number or a part of a hundred.
  static void setPart(ObjectNode object, String field, String part) {
    if (!object.has(field)) object.put(field, part);
  }

  /// The specification, with a template that is filled in.
  static ObjectNode specOf(ObjectNode object) {
    var spec = Trees.objectAt(object, "spec");
    PodTemplates.setDefaults(spec, "template");
    return spec;
  }
}
