package dev.berth.apiserver.core.select;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.model.LabelSelector;
import dev.berth.kube.object.Resource;
import dev.berth.kube.value.Json;
import java.util.List;
import java.util.Optional;

/// The objects of a kind that both selectors admit.
public final class Selection {
  private final LabelSelector labels;
  private final FieldQuery fields;

  private Selection(LabelSelector labels, FieldQuery fields) {
    this.labels = labels;
    this.fields = fields;
  }

  /// What both selectors admit.
  ///
  /// @param selectable the fields by which objects of a custom kind are selected; empty: those of
  ///   the built-in kind
  /// @param labels label selector, such as `app=web,tier notin (a,b)`; empty: all
  /// @param fields field selector, such as `spec.nodeName=node-a`; empty: all
  public static Selection of(
      Resource resource, Optional<List<String>> selectable, String labels, String fields)
      throws SelectorException {
    var query =
        selectable.isPresent()
            ? FieldQuery.parse(selectable.get(), fields)
            : FieldQuery.parse(resource, fields);
    return new Selection(LabelQuery.parse(labels), query);
  }

  public boolean admits(JsonNode object) {
    return fields.admits(object)
        && (admitsAllLabels()
            || labels.matches(Json.texts(object.path("metadata").path("labels"))));
  }

  /// Whether every object is admitted.
  public boolean isAll() {
    return admitsAllLabels() && fields.isAll();
  }

  private boolean admitsAllLabels() {
    return labels.requirements().isEmpty();
  }
}
