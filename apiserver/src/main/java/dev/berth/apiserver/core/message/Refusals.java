package dev.berth.apiserver.core.message;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.field.FieldError;
import dev.berth.apiserver.core.managed.Ownership.Conflict;
import dev.berth.apiserver.core.message.Refusal.Cause;
import dev.berth.apiserver.core.message.Refusal.Details;
import dev.berth.kube.object.Resource;
import dev.berth.kube.value.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/// The ways in which we refuse, in upstream's words (API-26 to API-29).
public final class Refusals {
  private Refusals() {}

  public static Refusal badRequest(String message) {
    return new Refusal(400, "BadRequest", message, Details.NONE);
  }

  public static Refusal notFound(Resource resource, String name) {
    return new Refusal(
        404,
        "NotFound",
        "%s \"%s\" not found".formatted(qualified(resource), name),
        about(resource, name));
  }

  /// A container that is to be added to a pod that runs, or other resources for one: `kubectl
  /// debug` shows it as it is.
  public static Refusal notInPlace() {
    return new Refusal(
        404,
        "NotFound",
        "Berth's nodes add no container to a pod that runs, and do not change what its containers"
            + " may use; make another pod (kubectl debug --copy-to)",
        Details.NONE);
  }

  /// The resource is not served, or not by that endpoint.
  public static Refusal notServed() {
    return new Refusal(
        404, "NotFound", "the server could not find the requested resource", Details.NONE);
  }

  public static Refusal alreadyExists(Resource resource, String name, boolean beingDeleted) {
    var message = "%s \"%s\" already exists".formatted(qualified(resource), name);
    return new Refusal(
        409,
        "AlreadyExists",
        beingDeleted ? "object is being deleted: " + message : message,
        about(resource, name));
  }

  public static Refusal noUniqueName(Resource resource, String name) {
    return new Refusal(
        409,
        "AlreadyExists",
        "%s \"%s\" already exists, the server was not able to generate a unique name for the object"
            .formatted(qualified(resource), name),
        about(resource, name));
  }

  public static Refusal conflict(Resource resource, String name, String why) {
    return new Refusal(
        409,
        "Conflict",
        "Operation cannot be fulfilled on %s \"%s\": %s".formatted(qualified(resource), name, why),
        about(resource, name));
  }

  /// Somebody else wrote first.
  public static Refusal modified(Resource resource, String name) {
    return conflict(
        resource,
        name,
        "the object has been modified; please apply your changes to the latest version and try"
            + " again");
  }

  /// There is an object of that name, but another than the one that is meant (API-71).
  public static Refusal otherUid(Resource resource, String name, String wanted, String actual) {
    return conflict(
        resource,
        name,
        "Precondition failed: UID in precondition: %s, UID in object meta: %s"
            .formatted(wanted, actual));
  }

  /// A precondition of a deletion does not hold; here upstream names the Kind.
  public static Refusal precondition(Resource resource, String name, String why) {
    var kind = dotted(resource.kind(), resource.group());
    return new Refusal(
        409,
        "Conflict",
        "Operation cannot be fulfilled on %s \"%s\": %s".formatted(kind, name, why),
        new Details(name, resource.group(), resource.kind(), "", List.of(), 0));
  }

  public static Refusal forbidden(Resource resource, String name, String why, Cause... causes) {
    return new Refusal(
        403,
        "Forbidden",
        "%s \"%s\" is forbidden: %s".formatted(qualified(resource), name, why),
        new Details(name, resource.group(), resource.plural(), "", List.of(causes), 0));
  }

  public static Refusal invalid(Resource resource, String name, List<FieldError> errors) {
    return invalid(resource.group(), resource.kind(), name, errors);
  }

  /// @param kind also of what is no object, such as `ListOptions`
  public static Refusal invalid(String group, String kind, String name, List<FieldError> errors) {
    var texts = errors.stream().map(FieldError::toString).distinct().toList();
    var text = texts.size() == 1 ? texts.getFirst() : texts.toString();
    var causes =
        errors.stream()
            .map(error -> new Cause(error.reason(), error.message(), error.field()))
            .toList();
    return new Refusal(
        422,
        "Invalid",
        "%s \"%s\" is invalid: %s".formatted(dotted(kind, group), name, text),
        new Details(name, group, kind, "", causes, 0));
  }

  /// A PUT without a resourceVersion of a kind that needs one; here upstream names the resource.
  public static Refusal versionRequired(Resource resource, String name) {
    var error =
        new FieldError(
            "metadata.resourceVersion",
            "FieldValueInvalid",
            "Invalid value: 0: must be specified for an update");
    return invalid(resource.group(), resource.plural(), name, List.of(error));
  }

  /// Others own what a configuration would change (API-79).
  public static Refusal applyConflict(List<Conflict> conflicts) {
    var causes =
        conflicts.stream()
            .map(conflict ->
                new Cause(
                    "FieldManagerConflict", "conflict with " + conflict.with(), conflict.field()))
            .toList();
    return new Refusal(
        409, "Conflict", conflictMessage(conflicts), new Details("", "", "", "", causes, 0));
  }

  private static String conflictMessage(List<Conflict> conflicts) {
    var only = conflicts.getFirst();
    if (conflicts.size() == 1)
      return "Apply failed with 1 conflict: conflict with " + only.with() + ": " + only.field();
    var fields = new TreeMap<String, List<String>>();
    for (var conflict : conflicts)
      fields.computeIfAbsent(conflict.with(), _ -> new ArrayList<>()).add(conflict.field());
    var lines = new ArrayList<String>();
    fields.forEach((with, all) -> {
      lines.add("conflicts with " + with + ":");
      all.forEach(field -> lines.add("- " + field));
    });
    return "Apply failed with %d conflicts: ".formatted(conflicts.size())
        + String.join("\n", lines);
  }

  /// A configuration that cannot be one of its kind. Upstream has no reason for it, and says 500.
  public static Refusal unfit(Resource resource, ObjectNode config, String why) {
    var meta = config.path("metadata");
    return badRequest(
        "failed to create typed patch object (%s/%s; %s, Kind=%s): %s"
            .formatted(
                Json.text(meta, "namespace"),
                Json.text(meta, "name"),
                resource.group() + "/" + resource.version(),
                resource.kind(),
                why));
  }

  public static Refusal patchNotApplicable(
      Resource resource, String name, String field, String why) {
    return new Refusal(
        422,
        "Invalid",
        "the server rejected our request due to an error in our request",
        new Details(
            name,
            resource.group(),
            resource.plural(),
            "",
            List.of(new Cause("FieldValueInvalid", why, field)),
            0));
  }

  public static Refusal methodNotAllowed(String message) {
    return new Refusal(405, "MethodNotAllowed", message, Details.NONE);
  }

  public static Refusal tooLarge(String message) {
    return new Refusal(413, "RequestEntityTooLarge", message, Details.NONE);
  }

  public static Refusal unsupportedMediaType(String message) {
    return new Refusal(415, "UnsupportedMediaType", message, Details.NONE);
  }

  /// The version asked for is still to come (API-50).
  public static Refusal fromTheFuture(long wanted, long current) {
    return new Refusal(
        504,
        "Timeout",
        "Timeout: Too large resource version: %d, current: %d".formatted(wanted, current),
        new Details(
            "",
            "",
            "",
            "",
            List.of(new Cause("ResourceVersionTooLarge", "Too large resource version", "")),
            1));
  }

  /// History no longer reaches back that far.
  public static Refusal expired(long wanted, long oldest) {
    return new Refusal(
        410,
        "Expired",
        "too old resource version: %d (%d)".formatted(wanted, oldest),
        Details.NONE);
  }

  /// @param token how to go on from the latest state
  public static Refusal expiredPage(String token) {
    return new Refusal(
        410,
        "Expired",
        "The provided continue parameter is too old to display a consistent list result. You can"
            + " start a new list without the continue parameter, or use the continue token in this"
            + " response to retrieve the remainder of the results. Continuing with the provided"
            + " token results in an inconsistent list - objects that were created, modified, or"
            + " deleted between the time the first chunk was returned and now may show up in the"
            + " list.",
        Details.NONE,
        token);
  }

  /// The disk does not take writes.
  public static Refusal notStored(String why) {
    return new Refusal(
        503,
        "ServiceUnavailable",
        "the write was not stored: " + why,
        new Details("", "", "", "", List.of(), 1));
  }

  /// The disk has no room for what needs some; without a time after which to try again, since a
  /// person has to do something first.
  public static Refusal noRoom(String why) {
    return new Refusal(
        507, "InsufficientStorage", "the write was not stored: " + why, Details.NONE);
  }

  public static Refusal tooManyRequests() {
    return new Refusal(
        429,
        "TooManyRequests",
        "too many writes are waiting, please try again later",
        new Details("", "", "", "", List.of(), 1));
  }

  /// We did something that we should not.
  public static Refusal internalError(Throwable defect) {
    return new Refusal(500, "InternalError", "Internal error occurred: " + defect, Details.NONE);
  }

  /// `volumeattachments.storage.k8s.io`.
  private static String qualified(Resource resource) {
    return dotted(resource.plural(), resource.group());
  }

  private static String dotted(String name, String group) {
    return group.isEmpty() ? name : name + "." + group;
  }

  private static Details about(Resource resource, String name) {
    return new Details(name, resource.group(), resource.plural(), "", List.of(), 0);
  }
}
