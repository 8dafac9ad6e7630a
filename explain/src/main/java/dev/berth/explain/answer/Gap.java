package dev.berth.explain.answer;

import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// What was looked for and may not be read (XPL-11).
///
/// @param extent how much of it
/// @param refusal in the server's words
public record Gap(Resource resource, Extent extent, String refusal) {
  /// How much of a kind may not be read.
  public enum Extent {
    /// Not what was looked for.
    WANTED,
    /// Only what is in other namespaces.
    ELSEWHERE
  }

  /// They only illustrate, or say who runs.
  public static final Set<Resource> OPTIONAL = Set.of(Resources.EVENTS, Resources.LEASES);

  private static final Pattern USER = Pattern.compile("User \"([^\"]+)\"");

  private static final String ADDED = " --dry-run=client -o yaml | kubectl auth reconcile -f -";

  private static final String SERVICE_ACCOUNT = "system:serviceaccount:";

  /// Whether a conclusion may be otherwise because of it. Events only illustrate, and without
  /// Leases it cannot be told who runs, which is said of those who have none, too.
  public boolean matters() {
    return extent == Extent.WANTED && !OPTIONAL.contains(resource);
  }

  /// Command lines that give whoever asked the rights to read all of these, beside those that such
  /// lines have given before: what is there is added to, where `create` would refuse.
  public static String remedy(Collection<Gap> gaps) {
    var kinds =
        gaps.stream()
            .map(gap -> gap.resource.groupResource())
            .distinct()
            .sorted()
            .collect(Collectors.joining(","));
    var user = gaps.stream().flatMap(gap -> gap.user().stream()).findFirst();
    return "kubectl create clusterrole berth-explain --verb=get,list,watch --resource=%s%s; kubectl create clusterrolebinding berth-explain --clusterrole=berth-explain %s%2$s"
        .formatted(kinds, ADDED, user.map(Gap::subject).orElse("--user=USER"));
  }

  private Optional<String> user() {
    var user = USER.matcher(refusal);
    return user.find() ? Optional.of(user.group(1)) : Optional.empty();
  }

  private static String subject(String user) {
    return user.startsWith(SERVICE_ACCOUNT)
        ? "--serviceaccount=" + user.substring(SERVICE_ACCOUNT.length())
        : "--user=" + user;
  }
}
