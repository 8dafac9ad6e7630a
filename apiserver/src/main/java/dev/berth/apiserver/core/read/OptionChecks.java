package dev.berth.apiserver.core.read;

import dev.berth.apiserver.core.custom.CustomVersion;
import dev.berth.apiserver.core.field.FieldError;
import dev.berth.apiserver.core.message.ListOptions;
import dev.berth.apiserver.core.message.Refusals;
import dev.berth.apiserver.core.message.RefusedException;
import dev.berth.apiserver.core.select.Selection;
import dev.berth.apiserver.core.select.SelectorException;
import dev.berth.apiserver.core.state.Served;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/// Refuses options that make no sense (API-51, API-65).
public final class OptionChecks {
  static final String EXACT = "Exact";
  static final String NOT_OLDER = "NotOlderThan";
  private static final String MATCH = "resourceVersionMatch";

  private OptionChecks() {}

  /// The same, and what is selected by.
  public static void checkList(Served kind, ListOptions options) {
    checkList(options);
    selection(kind, options);
  }

  static void checkList(ListOptions options) {
    if (options.sendInitialEvents().isPresent())
      throw forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list");
    checkVersion(options.resourceVersion());
    var match = options.resourceVersionMatch();
    if (match.isEmpty()) return;
    if (options.resourceVersion().isEmpty())
      throw forbidden(MATCH, MATCH + " is forbidden unless resourceVersion is provided");
    if (!options.continueToken().isEmpty())
      throw forbidden(MATCH, MATCH + " is forbidden when continue is provided");
    if (!match.equals(EXACT) && !match.equals(NOT_OLDER))
      throw refused(
          new FieldError(
              MATCH,
              "FieldValueNotSupported",
              "Unsupported value: \"%s\": supported values: \"Exact\", \"NotOlderThan\", \"\""
                  .formatted(match)));
    if (match.equals(EXACT) && options.resourceVersion().equals("0"))
      throw forbidden(MATCH, MATCH + " \"exact\" is forbidden for resourceVersion \"0\"");
  }

  static void checkWatch(ListOptions options) {
    checkVersion(options.resourceVersion());
    var match = options.resourceVersionMatch();
    if (!options.continueToken().isEmpty())
      throw forbidden(MATCH, MATCH + " is forbidden when continue is provided");
    if (options.sendInitialEvents().isEmpty()) {
      if (!match.isEmpty())
        throw forbidden(
            MATCH, MATCH + " is forbidden for watch unless sendInitialEvents is provided");
    } else if (!match.equals(NOT_OLDER)) {
      var errors = new ArrayList<FieldError>();
      errors.add(
          new FieldError(
              MATCH,
              "FieldValueForbidden",
              "Forbidden: sendInitialEvents requires setting resourceVersionMatch to"
                  + " NotOlderThan"));
      if (!match.isEmpty())
        errors.add(
            new FieldError(
                MATCH,
                "FieldValueNotSupported",
                "Unsupported value: \"%s\": supported values: \"NotOlderThan\"".formatted(match)));
      throw new RefusedException(Refusals.invalid("meta.k8s.io", "ListOptions", "", errors));
    }
  }

  /// A number of 64 bits.
  static void checkVersion(String version) {
    if (version.isEmpty()) return;
    if (!version.matches("[0-9]{1,19}") || new BigInteger(version).bitLength() > 63)
      throw new RefusedException(
          Refusals.badRequest(
              "invalid resource version: resourceVersion: Invalid value: \"%s\": not a whole number"
                  .formatted(version)));
  }

  /// 0 if there is none.
  static long version(String text) {
    return text.isEmpty() ? 0 : Long.parseLong(text);
  }

  static Selection selection(Served kind, ListOptions options) {
    try {
      var own = kind.custom().map(CustomVersion::selectableFields);
      return Selection.of(kind.resource(), own, options.labelSelector(), options.fieldSelector());
    } catch (SelectorException e) {
      throw new RefusedException(Refusals.badRequest(String.valueOf(e.getMessage())));
    }
  }

  private static RefusedException forbidden(String field, String detail) {
    return refused(new FieldError(field, "FieldValueForbidden", "Forbidden: " + detail));
  }

  private static RefusedException refused(FieldError error) {
    return new RefusedException(Refusals.invalid("meta.k8s.io", "ListOptions", "", List.of(error)));
  }
}
