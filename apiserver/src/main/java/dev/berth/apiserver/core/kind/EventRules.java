package dev.berth.apiserver.core.kind;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.field.Field;
import dev.berth.apiserver.core.field.Trees;
import java.time.Instant;

/// Events (API-137).
final class EventRules implements Rules {
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

  /// What the newer way of telling events added is there in every event, empty or not.
  private static void fill(ObjectNode event) {
    if (!event.has("eventTime")) event.putNull("eventTime");
    Trees.setDefault(event, "reportingComponent", "");
    Trees.setDefault(event, "reportingInstance", "");
  }

  /// An event stands beside the object that it is about; one about an object without a namespace
  /// may stand anywhere.
  @Override
  public void check(Field event) {
    var about = event.at("involvedObject").at("namespace");
    if (!about.isEmpty() && !about.is(event.at("metadata").at("namespace").text()))
      about.invalid("does not match event.namespace");
  }
}
