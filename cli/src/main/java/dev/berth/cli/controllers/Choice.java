package dev.berth.cli.controllers;

import dev.berth.cli.Problem;
import dev.berth.controller.roster.Member;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// Which controllers run, as upstream reads `--controllers`: what is said first of one counts, and
/// `*` stands for those of which nothing is said, but for what keeps pods: two that do so for one
/// set make too many, and a cluster has one.
final class Choice {
  private static final int MISUNDERSTOOD = 2;

  private Choice() {}

  /// @param lists each with commas; none: all controllers
  /// @throws Problem if one is asked for that there is not, or none is left
  static Set<Member> of(List<String> lists) {
    var words =
        lists.stream()
            .flatMap(list -> Arrays.stream(list.split(",")))
            .map(String::strip)
            .filter(word -> !word.isEmpty())
            .toList();
    words.forEach(Choice::check);
    var chosen = EnumSet.noneOf(Member.class);
    for (var member : Member.values()) if (isOn(member, words)) chosen.add(member);
    if (chosen.isEmpty())
      throw new Problem(
          "--controllers %s: none is left to run; all but some are *,%1$s"
              .formatted(String.join(",", words)),
          MISUNDERSTOOD);
    return chosen;
  }

  private static boolean isOn(Member member, List<String> words) {
    for (var word : words) {
      boolean off = word.startsWith("-");
      if (Member.named(off ? word.substring(1) : word).filter(member::equals).isPresent())
        return !off;
    }
    return !member.onlyByName() && (words.isEmpty() || words.contains("*"));
  }

  /// Whoever switches off one of upstream's that there is not here has what he wants.
  private static void check(String word) {
    if (word.equals("*") || Member.named(word).isPresent()) return;
    var off = word.startsWith("-") ? word.substring(1) : "";
    if (Member.named(off).isPresent() || Elsewhere.NAMES.contains(off)) return;
    throw new Problem(
        "--controllers %s: there are *, %s"
            .formatted(
                word,
                Arrays.stream(Member.values())
                    .map(Member::title)
                    .sorted()
                    .collect(Collectors.joining(", "))),
        MISUNDERSTOOD);
  }
}
