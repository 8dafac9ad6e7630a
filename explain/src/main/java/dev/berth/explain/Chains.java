package dev.berth.explain;

import dev.berth.explain.answer.Link;
import dev.berth.explain.answer.Link.Waits;
import dev.berth.explain.voice.Voices;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.loop.Outlook;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Node;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// From what an object waits for to what that waits for, down to what waits for nothing else that
/// can be seen (XPL-02).
final class Chains {
  private final Snapshot objects;

  Chains(Snapshot objects) {
    this.objects = objects;
  }

  /// At least one, which may be empty.
  List<List<Link>> of(Ref subject, Asking asking) {
    var chains = new ArrayList<List<Link>>();
    for (var way : asking.ways(subject)) {
      var chain = new ArrayList<Link>();
      Set<Object> told = new HashSet<>(Set.of(Explainer.identity(subject)));
      var links = way;
      while (true) {
        chain.addAll(links);
        var next = links.isEmpty() ? Optional.<Ref>empty() : follow(links.getLast(), objects);
        if (next.isEmpty() || !told.add(Explainer.identity(next.get()))) break;
        links = asking.links(next.get()).stream().filter(link -> isNews(link, chain)).toList();
      }
      chains.add(
          isBlind(chain) && Health.isProved(subject, objects) ? List.of() : outOfCircle(chain));
    }
    return chains;
  }

  /// Where the last link waits for one that was told before, nobody in that circle moves by
  /// himself: the last word has who needs a person.
  private static List<Link> outOfCircle(List<Link> chain) {
    if (chain.isEmpty() || !(chain.getLast() instanceof Waits(var last, _, var wait))) return chain;
    boolean circle =
        !Explainer.identity(wait.on()).equals(Explainer.identity(last))
            && chain.stream()
                .anyMatch(
                    it -> Explainer.identity(it.subject()).equals(Explainer.identity(wait.on())));
    if (!circle) return chain;
    int end = chain.size();
    while (end > 0 && !needsPerson(chain.get(end - 1))) end--;
    return end == 0 ? chain : chain.subList(0, end);
  }

  private static boolean needsPerson(Link link) {
    return link instanceof Waits(_, _, var wait) && !(wait.outlook() instanceof Outlook.Passes);
  }

  /// What the object that waits has said of an object, that object need not say again.
  private static boolean isNews(Link link, List<Link> chain) {
    return chain.stream()
        .noneMatch(told ->
            told instanceof Waits(_, _, var before)
                && link instanceof Waits(_, _, var wait)
                && Explainer.identity(before.on()).equals(Explainer.identity(wait.on()))
                && before.until().equals(wait.until()));
  }

  /// Of an attachment that is in the way, on a node that does not answer: the pod there that is on
  /// its way out; if there is no pod, whoever has to take it off.
  private static Optional<Ref> holder(Ref ref, Snapshot objects) {
    return ref.as(Kinds.ATTACHMENT)
        .flatMap(key -> objects.get(Kinds.ATTACHMENT, key).found().stream())
        .filter(attachment ->
            objects
                .get(Kinds.NODE, ObjectKey.cluster(attachment.nodeName()))
                .found()
                .filter(Node::ready)
                .isEmpty())
        .flatMap(attachment -> {
          var users = Holders.of(attachment, objects);
          return users.stream().anyMatch(pod -> !pod.meta().deleting())
              ? Stream.empty()
              : Stream.of(users.isEmpty() ? ref : users.getFirst().ref());
        })
        .findFirst();
  }

  /// Whoever waits for an object to go, or for one that is another's, is not helped by what that
  /// object itself waits for, unless it is on its way out. And where data is at stake the check
  /// comes first: it stays the last word.
  private static Optional<Ref> follow(Link link, Snapshot objects) {
    if (!(link instanceof Waits(_, _, var wait))) return Optional.empty();
    if (wait.outlook() instanceof Outlook.Endangers) return Optional.empty();
    boolean untilItGoes =
        (wait.field().isEmpty() || wait.field().equals("metadata.ownerReferences"))
            && Voices.meta(wait.on(), objects)
                .filter(meta -> !meta.deleting())
                .filter(meta -> !meta.hasAnnotation(Annotations.DETACH_REQUESTED_AT))
                .isPresent();
    return untilItGoes ? holder(wait.on(), objects) : Optional.of(wait.on());
  }

  static boolean isBlind(List<Link> chain) {
    return !chain.isEmpty() && chain.getLast() instanceof Link.Blind;
  }
}
