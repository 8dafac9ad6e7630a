package dev.berth.apiserver.core.kind;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.field.Field;
import dev.berth.apiserver.core.field.Trees;
import java.time.Instant;

/// Events (API-137), whatever the two ways of telling them call it.
class EventRules implements Rules {
  private final String about;
  private final String reporter;

  /// @param about the field that names the object
  /// @param reporter the field that names who tells
  EventRules(String about, String reporter) {
    this.about = about;
    this.reporter = reporter;
  }

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
  private void fill(ObjectNode event) {
    if (!event.has("eventTime")) event.putNull("eventTime");
    Trees.setDefault(event, reporter, "");
    Trees.setDefault(event, "reportingInstance", "");
  }

  /// An event stands beside the object that it is about; one about an object without a namespace
  /// may stand anywhere.
  @Override
  public void check(Field event) {
    var namespace = event.at(about).at("namespace");
    if (!namespace.isEmpty() && !namespace.is(event.at("metadata").at("namespace").text()))
      namespace.namedAs("involvedObject.namespace").invalid("does not match event.namespace");
  }
}
