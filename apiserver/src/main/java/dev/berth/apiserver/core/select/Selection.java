package dev.berth.apiserver.core.select;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.model.Resource;
import java.util.Optional;

/// The objects of a kind that both selectors admit.
public final class Selection {
  private final LabelQuery labels;
  private final FieldQuery fields;

  private Selection(LabelQuery labels, FieldQuery fields) {
    this.labels = labels;
    this.fields = fields;
  }

  /// What both selectors admit.
  ///
  /// @param labels label selector, such as `app=web,tier notin (a,b)`; empty: all
  /// @param fields field selector, such as `spec.nodeName=node-a`; empty: all
  public static Selection of(Resource resource, String labels, String fields)
      throws SelectorException {
    return new Selection(LabelQuery.parse(labels), FieldQuery.parse(resource, fields));
  }

  public boolean admits(JsonNode object) {
    return labels.admits(object.path("metadata").path("labels")) && fields.admits(object);
  }

  /// Whether every object is admitted.
  public boolean isAll() {
    return labels.isAll() && fields.isAll();
  }

  /// The only name that can be admitted, where the selector gives one.
  public Optional<String> name() {
    return fields.value("metadata.name");
  }
}
