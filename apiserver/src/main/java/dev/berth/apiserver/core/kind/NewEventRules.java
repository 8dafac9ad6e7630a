package dev.berth.apiserver.core.kind;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.field.Field;
import dev.berth.apiserver.core.field.Trees;
import java.time.Instant;
import java.util.List;

/// Events of events.k8s.io/v1: those who write them so are told what they left out (API-01).
final class NewEventRules implements Rules {
  private static final int LONGEST_WORD = 128;
  private static final int LONGEST_NOTE = 1024;

  @Override
  public boolean createdByUpdate() {
    return true;
  }

  @Override
  public boolean goesQuietly() {
    return true;
  }

  @Override
  public void start(ObjectNode event, Instant now) {
    fill(event);
  }

  @Override
  public void change(ObjectNode event, ObjectNode stored) {
    fill(event);
  }

  /// Empty in the old form, too, if nobody has said it.
  private static void fill(ObjectNode event) {
    if (!event.has("eventTime")) event.putNull("eventTime");
    Trees.setDefault(event, "reportingController", "");
    Trees.setDefault(event, "reportingInstance", "");
  }

  @Override
  public void check(Field event) {
    var about = event.at("regarding").at("namespace");
    if (!about.isEmpty() && !about.is(event.at("metadata").at("namespace").text()))
      about.namedAs("involvedObject.namespace").invalid("does not match event.namespace");
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
