package dev.berth.apiserver.http.exchange;

import dev.berth.apiserver.core.message.RefusedException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Fields;

/// A request's query parameters, read as upstream reads them.
///
/// @param readable whether the query is one; otherwise there are no parameters
public record Query(Fields fields, boolean readable) {
  static Query of(Request request) {
    try {
      return new Query(Request.extractQueryParameters(request), true);
    } catch (RuntimeException unreadable) { // which one depends on what is wrong with it
      return new Query(Fields.EMPTY, false);
    }
  }

  /// Empty if it is absent.
  public String text(String name) {
    var value = fields.getValue(name);
    return value == null ? "" : value;
  }

  public List<String> texts(String name) {
    var values = fields.getValues(name);
    return values == null ? List.of() : values;
  }

  /// Anything but `false` and `0` is true, an empty value too.
  public boolean truth(String name) {
    return optionalTruth(name).orElse(false);
  }

  public Optional<Boolean> optionalTruth(String name) {
    var value = fields.getValue(name);
    if (value == null) return Optional.empty();
    return Optional.of(!value.equalsIgnoreCase("false") && !value.equals("0"));
  }

  /// @throws RefusedException if it is no whole number
  public OptionalLong number(String name) {
    var text = text(name);
    if (text.isEmpty()) return OptionalLong.empty();
    try {
      return OptionalLong.of(Long.parseLong(text));
    } catch (NumberFormatException otherwise) {
      throw TransportRefusals.badRequest(
          "query parameter %s: \"%s\" is no whole number".formatted(name, text));
    }
  }
}
