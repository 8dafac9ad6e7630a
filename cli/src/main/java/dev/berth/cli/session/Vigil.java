package dev.berth.cli.session;

import dev.berth.explain.answer.Explanation;
import dev.berth.explain.answer.Link;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.Selector;
import dev.berth.kube.object.Ref;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/// Waits until one of the objects of a chain changes, or for a while: what ends a wait may also be
/// a deadline, or an object that nobody has named yet.
public final class Vigil implements AutoCloseable {
  private final News news;
  private final Map<Ref, News.Following> followed = new HashMap<>();

  public Vigil(Api api) {
    this.news = new News(api);
  }

  /// Begins to watch what the chain names, and leaves all else.
  ///
  /// @return whether there is something that was not watched before: it may have changed meanwhile
  public boolean follow(Explanation explanation) {
    var wanted = named(explanation);
    followed
        .entrySet()
        .removeIf(entry -> {
          boolean needed = wanted.contains(entry.getKey()) && !entry.getValue().over();
          if (!needed) entry.getValue().close();
          return !needed;
        });
    boolean fresh = false;
    for (var ref : wanted) if (!followed.containsKey(ref)) fresh |= watch(ref);
    return fresh;
  }

  private static Set<Ref> named(Explanation explanation) {
    var refs = new LinkedHashSet<Ref>();
    refs.add(unversioned(explanation.subject()));
    for (var link : explanation.chain()) {
      refs.add(unversioned(link.subject()));
      if (link instanceof Link.Waits(_, _, var wait)) refs.add(unversioned(wait.on()));
    }
    explanation.others().forEach(other -> refs.addAll(named(other)));
    return refs;
  }

  private static Ref unversioned(Ref ref) {
    return Ref.of(ref.resource(), ref.key());
  }

  private boolean watch(Ref ref) {
    var selector = Selector.fields("metadata.name=" + ref.key().name());
    try {
      followed.put(ref, news.follow(ref.resource(), ref.key().namespace(), selector));
      return true;
    } catch (ApiException refused) {
      return false; // then the next look comes by time
    }
  }

  /// Returns after a change, or when it is time for another look.
  public void await() throws InterruptedException {
    news.await();
  }

  @Override
  public void close() {
    news.close();
  }
}
