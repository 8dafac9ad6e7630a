package dev.berth.driver.baremetal.manager.base;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/// Which of a machine's disks whoever set the driver up has given to it (BM-211). Any other one is
/// shown, and is nobody's until a person says so of that disk.
///
/// @param allBlank whether each one is that nothing is on
/// @param serials those with one of these serial numbers, in upper case
/// @param included so is each one that nothing is on and of which one of these rules holds (BM-59)
/// @param excluded none is of which one of these holds, whatever else is said
public record Consent(
    boolean allBlank, Set<String> serials, List<DiskRule> included, List<DiskRule> excluded) {
  /// Nobody has said anything.
  public static final Consent NONE = new Consent(false, Set.of());

  public Consent {
    serials =
        serials.stream()
            .map(it -> it.toUpperCase(Locale.ROOT))
            .collect(Collectors.toUnmodifiableSet());
    included = List.copyOf(included);
    excluded = List.copyOf(excluded);
  }

  /// Without rules.
  public Consent(boolean allBlank, Set<String> serials) {
    this(allBlank, serials, List.of(), List.of());
  }

  /// @param included rules, as `type=SSD,size>=1Ti`
  /// @param excluded likewise
  /// @throws IllegalArgumentException if one of the rules is none
  public static Consent of(
      boolean allBlank,
      Set<String> serials,
      Collection<String> included,
      Collection<String> excluded) {
    return new Consent(allBlank, serials, rules(included), rules(excluded));
  }

  private static List<DiskRule> rules(Collection<String> texts) {
    return texts.stream().map(DiskRule::parse).toList();
  }

  /// @param blank whether nothing is on the disk, as far as a look could see
  boolean to(SysfsDisk disk, boolean blank) {
    if (excluded.stream().anyMatch(it -> it.holds(disk))) return false;
    if (disk.names().serials().stream().anyMatch(serials::contains)) return true;
    // a layer that is silent now may say a name that is excluded, and what is given is not taken
    // back
    if (!disk.names().complete() && excluded.stream().anyMatch(DiskRule::isOfNames)) return false;
    return blank && (allBlank || included.stream().anyMatch(it -> it.holds(disk)));
  }
}
