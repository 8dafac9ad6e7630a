package dev.berth.sidecar.nodeplugin;

import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.cache.Caches;
import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Follower;
import dev.berth.kube.cache.Scope;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.time.SystemTime;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;

/// Waits until the objects of a scope are as somebody wants them, through caches of these alone.
/// Whatever fails on the way is tried again by them, but for what is forbidden.
record Sight(Api api) {
  /// No object is called that.
  private static final ObjectKey NOBODY = ObjectKey.cluster("none");

  /// @return what there was to see then; empty: it did not come to that within `patience`
  /// @throws ApiException if it is forbidden to look
  Optional<Snapshot> await(Scope<?> scope, Predicate<Snapshot> wanted, Duration patience)
      throws InterruptedException {
    requireAllowed(scope.kind());
    var condition = new Condition(wanted);
    try (var time = new SystemTime("sight");
        var caches = new Caches(api, time, List.of(scope))) {
      caches.follow(List.of(scope.kind()), condition);
      caches.start();
      return Optional.of(condition.met.get(patience.toNanos(), TimeUnit.NANOSECONDS));
    } catch (TimeoutException _) {
      return Optional.empty();
    } catch (ExecutionException broken) {
      throw new IllegalStateException(broken);
    }
  }

  /// Asks for nothing that costs anything: caches would ask again for ever.
  ///
  /// @throws ApiException if it is forbidden to look
  void requireAllowed(Kind<?> kind) {
    try {
      api.list(kind.resource(), "", Scope.one(kind, NOBODY).selector());
    } catch (ApiException refused) {
      if (isForbidden(refused)) throw refused;
    }
  }

  static boolean isForbidden(ApiException refused) {
    return refused.code() == 401 || refused.code() == 403;
  }

  private record Condition(Predicate<Snapshot> wanted, CompletableFuture<Snapshot> met)
      implements Follower {
    Condition(Predicate<Snapshot> wanted) {
      this(wanted, new CompletableFuture<>());
    }

    @Override
    public void filled(Snapshot first) {
      look(first);
    }

    @Override
    public <T extends KubeObject> void changed(Kind<T> kind, Change<T> change, Snapshot with) {
      look(with);
    }

    private void look(Snapshot now) {
      if (wanted.test(now)) met.complete(now);
    }
  }
}
