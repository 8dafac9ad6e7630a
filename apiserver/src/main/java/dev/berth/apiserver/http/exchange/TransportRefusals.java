package dev.berth.apiserver.http.exchange;

import dev.berth.apiserver.core.message.Refusal;
import dev.berth.apiserver.core.message.Refusal.Cause;
import dev.berth.apiserver.core.message.Refusal.Details;
import dev.berth.apiserver.core.message.RefusedException;
import dev.berth.kube.object.Resource;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

/// What is refused before a request reaches the state machine, in upstream's words (API-26 to
/// API-29).
public final class TransportRefusals {
  private TransportRefusals() {}

  /// To be asked again in a second (API-21).
  public static RefusedException tooManyRequests(String message) {
    return new RefusedException(
        new Refusal(429, "TooManyRequests", message, new Details("", "", "", "", List.of(), 1)));
  }

  public static RefusedException badRequest(String message) {
    return refused(400, "BadRequest", message);
  }

  /// No credential that we know.
  public static RefusedException unauthorized() {
    return refused(401, "Unauthorized", "Unauthorized");
  }

  /// @param message what the user may not do
  public static RefusedException forbidden(String message) {
    return refused(403, "Forbidden", "forbidden: " + message);
  }

  public static RefusedException forbidden(Resource resource, String name, String message) {
    var subject = name.isEmpty() ? qualified(resource) : qualified(resource) + " \"" + name + "\"";
    var about = new Details(name, resource.group(), resource.plural(), "", List.of(), 0);
    return new RefusedException(
        new Refusal(403, "Forbidden", subject + " is forbidden: " + message, about));
  }

  public static RefusedException methodNotAllowed() {
    return refused(
        405, "MethodNotAllowed", "the server does not allow this method on the requested resource");
  }

  public static RefusedException notAcceptable(Collection<String> offered) {
    return refused(
        406,
        "NotAcceptable",
        "only the following media types are accepted: " + String.join(", ", offered));
  }

  /// None of the media types that the client takes is spoken here.
  static RefusedException notSpoken(Collection<String> offered) {
    return refused(
        406,
        "NotAcceptable",
        "406: Not Acceptable\n\nAvailable representations: " + String.join(", ", offered));
  }

  static RefusedException requestTimeout(Duration patience) {
    return refused(
        408,
        "Timeout",
        "the request's body did not come within %d s".formatted(patience.toSeconds()));
  }

  static RefusedException bodyTooLarge(int limit) {
    return refused(413, "RequestEntityTooLarge", "Request entity too large: limit is " + limit);
  }

  static RefusedException tooManyValues(int limit) {
    return refused(
        413,
        "RequestEntityTooLarge",
        "Request entity too large: limit is %d names and values".formatted(limit));
  }

  public static RefusedException unsupportedMediaType(Collection<String> accepted) {
    return refused(
        415,
        "UnsupportedMediaType",
        "the body of the request was in an unknown format - accepted media types include: "
            + String.join(", ", accepted));
  }

  /// A patch of a type that the kind does not take.
  public static RefusedException unsupportedPatch() {
    return refused(415, "UnsupportedMediaType", "415: Unsupported Media Type");
  }

  /// An option of the request, such as a query parameter, is wrong.
  ///
  /// @param kind of options, such as `CreateOptions`
  public static RefusedException invalidOption(
      String kind, String reason, String field, String why) {
    var cause = new Cause(reason, why, field);
    var about = new Details("", "meta.k8s.io", kind, "", List.of(cause), 0);
    return new RefusedException(
        new Refusal(
            422,
            "Invalid",
            "%s.meta.k8s.io \"\" is invalid: %s: %s".formatted(kind, field, why),
            about));
  }

  /// An option of reading a pod's log is wrong.
  public static RefusedException invalidLogOption(String pod, String field, String why) {
    var cause = new Cause("FieldValueInvalid", why, field);
    var about = new Details(pod, "", "PodLogOptions", "", List.of(cause), 0);
    return new RefusedException(
        new Refusal(
            422,
            "Invalid",
            "PodLogOptions \"%s\" is invalid: %s: %s".formatted(pod, field, why),
            about));
  }

  /// A bug of ours; its text goes to the log only.
  public static Refusal internalError() {
    return new Refusal(
        500,
        "InternalError",
        "Internal error occurred: see the log of the API server",
        Details.NONE);
  }

  /// The server is on its way out.
  public static Refusal stopping() {
    return new Refusal(
        503,
        "ServiceUnavailable",
        "the server is stopping",
        new Details("", "", "", "", List.of(), 1));
  }

  /// `volumeattachments.storage.k8s.io`.
  private static String qualified(Resource resource) {
    return resource.group().isEmpty()
        ? resource.plural()
        : resource.plural() + "." + resource.group();
  }

  private static RefusedException refused(int code, String reason, String message) {
    return new RefusedException(new Refusal(code, reason, message, Details.NONE));
  }
}
