package dev.berth.apiserver.http.exchange;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.message.ListOptions;
import dev.berth.apiserver.table.Layout.Include;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.value.Json;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/// How a client wants its request carried out.
public final class Options {
  private static final Set<String> PROPAGATION = Set.of("Background", "Foreground", "Orphan");

  private Options() {}

  public static ListOptions list(Query query) {
    return new ListOptions(
        query.text("labelSelector"),
        query.text("fieldSelector"),
        query.text("resourceVersion"),
        query.text("resourceVersionMatch"),
        query.number("limit").orElse(0),
        query.text("continue"),
        query.optionalTruth("sendInitialEvents"),
        query.truth("allowWatchBookmarks"));
  }

  /// Whether nothing is to be written.
  ///
  /// @param kind of options, such as `CreateOptions`
  public static boolean dryRun(String kind, List<String> values) {
    for (var value : values)
      if (!value.equals("All"))
        throw TransportRefusals.invalidOption(
            kind,
            "FieldValueNotSupported",
            "dryRun",
            "Unsupported value: [%s]: supported values: \"All\"".formatted(quoted(values)));
    return !values.isEmpty();
  }

  /// Whether an Eviction is only tried: its client may say so of the request, as `kubectl delete`
  /// does, or of the deletion, as `kubectl drain` does (API-118).
  public static boolean dryRun(Query query, JsonNode eviction) {
    boolean asked = dryRun("CreateOptions", query.texts("dryRun"));
    return dryRun(eviction.path("deleteOptions")) || asked;
  }

  /// What is no list of texts must not be taken for a wish to delete.
  private static boolean dryRun(JsonNode deleteOptions) {
    var sent = deleteOptions.path("dryRun");
    boolean readable = sent.isMissingNode() || sent.isNull() || sent.isArray();
    for (var each : sent) readable &= each.isTextual();
    if (!readable)
      throw TransportRefusals.badRequest("DeleteOptions: dryRun: expected a list of texts");
    return dryRun("DeleteOptions", Json.list(sent, JsonNode::asText));
  }

  private static String quoted(List<String> values) {
    return values.stream().map(value -> '"' + value + '"').collect(Collectors.joining(","));
  }

  /// @param options as deleted with
  /// @param dryRun whether nothing is to be written
  public record Deletion(DeleteOptions options, boolean dryRun) {}

  /// From the body or, if there is none, from the query (API-84).
  public static Deletion deletion(Query query, Optional<ObjectNode> body) {
    return body.map(Options::deletion).orElseGet(() -> deletion(query));
  }

  private static Deletion deletion(ObjectNode body) {
    var conditions = body.path("preconditions");
    var options =
        new DeleteOptions(
            Json.optionalText(conditions, "uid"),
            Json.optionalText(conditions, "resourceVersion"),
            seconds(body.path("gracePeriodSeconds")),
            propagation(
                Json.optionalText(body, "propagationPolicy"),
                body.hasNonNull("orphanDependents")
                    ? Optional.of(body.path("orphanDependents").asBoolean())
                    : Optional.empty()));
    return new Deletion(options, dryRun(body));
  }

  private static Deletion deletion(Query query) {
    var options =
        new DeleteOptions(
            Optional.empty(),
            Optional.empty(),
            query.number("gracePeriodSeconds"),
            propagation(
                Optional.of(query.text("propagationPolicy")).filter(text -> !text.isEmpty()),
                query.optionalTruth("orphanDependents")));
    return new Deletion(options, dryRun("DeleteOptions", query.texts("dryRun")));
  }

  private static OptionalLong seconds(JsonNode number) {
    if (number.isMissingNode() || number.isNull()) return OptionalLong.empty();
    if (number.isIntegralNumber() && number.canConvertToLong())
      return OptionalLong.of(number.longValue());
    throw TransportRefusals.badRequest(
        "DeleteOptions: gracePeriodSeconds: expected a whole number of 64 bits");
  }

  private static Optional<String> propagation(Optional<String> policy, Optional<Boolean> orphan) {
    if (policy.isPresent() && orphan.isPresent())
      throw TransportRefusals.invalidOption(
          "DeleteOptions",
          "FieldValueInvalid",
          "propagationPolicy",
          "Invalid value: \"%s\": orphanDependents and deletionPropagation cannot be both set"
              .formatted(policy.get()));
    if (policy.isPresent() && !PROPAGATION.contains(policy.get()))
      throw TransportRefusals.invalidOption(
          "DeleteOptions",
          "FieldValueNotSupported",
          "propagationPolicy",
          "Unsupported value: \"%s\": supported values: \"Foreground\", \"Background\", \"Orphan\", \"nil\""
              .formatted(policy.get()));
    return policy.or(() -> orphan.map(yes -> yes ? "Orphan" : "Background"));
  }

  /// What goes with each row of a table.
  public static Include included(Query query) {
    return switch (query.text("includeObject")) {
      case "", "Metadata" -> Include.METADATA;
      case "Object" -> Include.OBJECT;
      case "None" -> Include.NONE;
      case String other ->
          throw TransportRefusals.badRequest(
              "Unable to convert to Table as requested: includeObject: Invalid value: \"%s\": must be 'Metadata', 'Object', 'None', or empty"
                  .formatted(other));
    };
  }
}
