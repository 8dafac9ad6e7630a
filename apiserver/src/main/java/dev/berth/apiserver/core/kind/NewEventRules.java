package dev.berth.apiserver.core.kind;

import dev.berth.apiserver.core.field.Field;
import java.util.List;

/// Events of events.k8s.io/v1: those who write them so are told what they left out (API-01).
final class NewEventRules extends EventRules {
  private static final int LONGEST_WORD = 128;
  private static final int LONGEST_NOTE = 1024;

  NewEventRules() {
    super("regarding", "reportingController");
  }

  @Override
  public void checkNew(Field event) {
    event.at("eventTime").demand();
    event.at("reportingController").demand();
    for (var field : List.of("reportingInstance", "action", "reason")) {
      var text = event.at(field);
      if (text.demand() && text.text().length() > LONGEST_WORD)
        text.invalid("can have at most 128 characters");
    }
    if (event.at("note").text().length() > LONGEST_NOTE)
      event.at("note").invalid("can have at most 1024 characters");
    event.at("type").demandOneOf("Normal", "Warning");
  }

  @Override
  public void checkChange(Field event, Field stored) {
    for (var field :
        List.of("regarding", "related", "reason", "action", "note", "type", "eventTime"))
      event.at(field).immutable(stored.at(field));
  }
}
