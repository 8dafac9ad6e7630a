package dev.berth.driver.baremetal;

import dev.berth.driver.baremetal.object.BareMetalKinds;
import dev.berth.kube.api.Api;
import dev.berth.kube.object.Resource;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// What a process has of the cluster that is killed at one of its writes: the write is lost, or
/// only its answer, and nothing that the process does from then on reaches anybody.
final class DyingApi implements InvocationHandler {
  private static final Set<String> WRITES =
      Set.of("create", "update", "updateStatus", "patch", "patchStatus", "delete");

  /// What becomes of the write at which the process dies.
  enum Last {
    LOST,
    DONE
  }

  private final Api server;
  private final int at;
  private final Last last;
  private final AtomicInteger writes = new AtomicInteger();
  private final CountDownLatch dead = new CountDownLatch(1);

  private DyingApi(Api server, int at, Last last) {
    this.server = server;
    this.at = at;
    this.last = last;
  }

  /// @param at which write to our kinds it is, from 1
  static DyingApi of(Api server, int at, Last last) {
    return new DyingApi(server, at, last);
  }

  Api api() {
    return (Api)
        Proxy.newProxyInstance(Api.class.getClassLoader(), new Class<?>[] {Api.class}, this);
  }

  boolean isDead() {
    return dead.getCount() == 0;
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
      throws Throwable {
    if (isDead()) throw killed();
    if (arguments == null
        || !WRITES.contains(method.getName())
        || !(arguments[0] instanceof Resource resource)
        || !resource.group().equals(BareMetalKinds.GROUP)) return on(method, arguments);
    if (writes.incrementAndGet() < at) return on(method, arguments);
    if (writes.get() == at && last == Last.DONE) {
      var _ = on(method, arguments);
    }
    dead.countDown();
    throw killed();
  }

  private static IllegalStateException killed() {
    return new IllegalStateException("this process has been killed");
  }

  private @Nullable Object on(Method method, Object @Nullable [] arguments) throws Throwable {
    try {
      return method.invoke(server, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
