package dev.berth.driver.disk.ledger;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/// Entries of a ledger as what they stand for. A call looks at its volume up to five times, and to
/// take the entry apart costs more than all else of a look.
///
/// An entry never changes: another one takes its place. So what was made of the same object is true
/// for as long as the ledger shows that.
public final class Parsed<T> {
  /// With more than so many it begins anew; a call needs one or two.
  private static final int MOST = 512;

  private final String key;
  private final Function<Map<String, String>, T> parse;
  private final Map<String, Made<T>> known = new ConcurrentHashMap<>();

  private record Made<T>(Map<String, String> entry, T value) {}

  /// @param key of the value by which entries differ
  public Parsed(String key, Function<Map<String, String>, T> parse) {
    this.key = key;
    this.parse = parse;
  }

  @SuppressWarnings("ReferenceEquality") // equal ones are no sooner found than parsed
  public T of(Map<String, String> entry) {
    var name = entry.getOrDefault(key, "");
    var made = known.get(name);
    if (made != null && made.entry == entry) return made.value;
    var value = parse.apply(entry);
    keep(entry, value);
    return value;
  }

  /// Takes note of what an entry is that has just been put.
  ///
  /// @param entry immutable, so that the ledger keeps this object
  public void keep(Map<String, String> entry, T value) {
    if (known.size() >= MOST) known.clear();
    known.put(entry.getOrDefault(key, ""), new Made<>(entry, value));
  }
}
