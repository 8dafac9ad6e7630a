package dev.berth.explain.answer;

import dev.berth.kube.object.Ref;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

/// The states of explain.md by what a link shows. Ids never change their meaning: programs go by
/// them (XPL-12). The book is `states.txt`.
public final class States {
  /// None of them: a gap in the book (XPL-24).
  public static final String UNKNOWN = "U00";

  /// What would tell it may not be read.
  static final String UNREADABLE = "U01";

  private static final String ANY = "-";
  private static final String FAILS = "!";
  private static final String ACTS = ">";
  private static final List<Row> BOOK = read();

  private States() {}

  /// A row of the book.
  ///
  /// @param component how its name begins
  /// @param on kind that is waited for, [#FAILS] or [#ACTS]
  /// @param field of it; a reason; an effect
  private record Row(
      String state, String component, String subject, String on, String field, Pattern words) {
    boolean fits(Shown link) {
      return (component.equals(ANY) || link.component.startsWith(component))
          && (subject.equals(ANY) || subject.equals(link.subject))
          && (on.equals(ANY) ? !link.on.equals(ACTS) || field.equals(ANY) : on.equals(link.on))
          && (field.equals(ANY) || link.field.equals(field.equals(".") ? "" : field))
          && words.matcher(link.words).find();
    }
  }

  /// A link as the book's columns have it.
  private record Shown(String component, String subject, String on, String field, String words) {}

  /// As the link alone shows it.
  public static String of(Link link) {
    if (link instanceof Link.Blind) return UNREADABLE;
    var shown = shown(link);
    return BOOK.stream().filter(row -> row.fits(shown)).map(Row::state).findFirst().orElse(UNKNOWN);
  }

  private static Shown shown(Link link) {
    var subject = kind(link.subject());
    var component = link.component();
    return switch (link) {
      case Link.Waits(_, _, var wait) ->
          new Shown(component, subject, kind(wait.on()), wait.field(), wait.until());
      case Link.Fails(_, _, _, var last) ->
          new Shown(component, subject, FAILS, last.field(), last.message());
      case Link.Acts(_, _, var effect) ->
          new Shown(component, subject, ACTS, effect.getClass().getSimpleName(), "");
      case Link.Blind _ -> throw new IllegalStateException("a blind link shows nothing");
    };
  }

  private static String kind(Ref ref) {
    return ref.resource().kind();
  }

  /// Columns stand two blanks or more apart: components have names of several words.
  private static List<Row> read() {
    try (InputStream in = Objects.requireNonNull(States.class.getResourceAsStream("states.txt"))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .map(line -> line.strip().split(" {2,}", 6))
          .map(columns ->
              new Row(
                  columns[0],
                  columns[1],
                  columns[2],
                  columns[3],
                  columns.length > 4 ? columns[4] : ANY,
                  Pattern.compile(columns.length > 5 ? columns[5] : "")))
          .toList();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
