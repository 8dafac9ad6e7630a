package dev.berth.apiserver.core.message;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.state.Stored;
import dev.berth.kube.object.Resource;
import java.util.List;
import java.util.Set;

/// Why a request is not carried out, as Kubernetes' `Status` says it (spec/apiserver.md, section
/// 3). Texts are empty and numbers 0 where there is nothing to say.
///
/// @param code HTTP status
/// @param reason Kubernetes' word for the case, such as `NotFound`
/// @param message for people, and for programs that match it
/// @param continueToken of an expired list: how to go on from the latest state instead
public record Refusal(
    int code, String reason, String message, Details details, String continueToken) {
  /// Where no kind is concerned, upstream has details that say nothing.
  private static final Set<Integer> OF_THE_SERVER = Set.of(404, 405);

  public Refusal(int code, String reason, String message, Details details) {
    this(code, reason, message, details, "");
  }

  /// What the refusal is about.
  ///
  /// @param kind plural resource or Kind, as upstream has it for the reason
  /// @param retryAfterSeconds 0: do not say
  public record Details(
      String name,
      String group,
      String kind,
      String uid,
      List<Cause> causes,
      int retryAfterSeconds) {
    public static final Details NONE = new Details("", "", "", "", List.of(), 0);

    public Details {
      causes = List.copyOf(causes);
    }
  }

  /// One of several reasons, or where it lies.
  ///
  /// @param field path in the object, such as `spec.accessModes`
  public record Cause(String reason, String message, String field) {}

  /// As a `Status` object.
  public ObjectNode toStatus() {
    var status = status("Failure");
    if (!continueToken.isEmpty()) status.withObject("metadata").put("continue", continueToken);
    if (!message.isEmpty()) status.put("message", message);
    if (!reason.isEmpty()) status.put("reason", reason);
    if (!details.equals(Details.NONE) || OF_THE_SERVER.contains(code))
      write(details, status.putObject("details"));
    return status.put("code", code);
  }

  /// A `Status` of success about an object that is gone.
  public static ObjectNode success(Resource resource, Stored last) {
    var status = status("Success");
    write(
        new Details(
            last.key().name(), resource.group(), resource.plural(), last.uid(), List.of(), 0),
        status.putObject("details"));
    return status;
  }

  /// A `Status` of success about nothing in particular.
  public static ObjectNode success(int code) {
    return status("Success").put("code", code);
  }

  private static ObjectNode status(String word) {
    var status = JsonNodeFactory.instance.objectNode();
    status.put("kind", "Status").put("apiVersion", "v1").putObject("metadata");
    return status.put("status", word);
  }

  private static void write(Details details, ObjectNode to) {
    if (!details.name.isEmpty()) to.put("name", details.name);
    if (!details.group.isEmpty()) to.put("group", details.group);
    if (!details.kind.isEmpty()) to.put("kind", details.kind);
    if (!details.uid.isEmpty()) to.put("uid", details.uid);
    if (!details.causes.isEmpty()) {
      var causes = to.putArray("causes");
      for (var cause : details.causes) {
        var each = causes.addObject();
        if (!cause.reason.isEmpty()) each.put("reason", cause.reason);
        if (!cause.message.isEmpty()) each.put("message", cause.message);
        if (!cause.field.isEmpty()) each.put("field", cause.field);
      }
    }
    if (details.retryAfterSeconds > 0) to.put("retryAfterSeconds", details.retryAfterSeconds);
  }
}
