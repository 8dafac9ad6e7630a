package dev.berth.kube.lease;

import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.Caller;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;

/// A line to a server that a test can cut, and on which it can do something right before a write
/// arrives.
final class Line {
  private static final List<String> WRITES = List.of("create", "update", "patch");

  final Api api;
  boolean cut;

  /// On whose behalf the server is asked.
  Optional<Caller> caller = Optional.empty();

  /// Is done once.
  Runnable beforeWrite = () -> {};

  /// Is done once, when the server has accepted a watch that its caller does not know of yet.
  Runnable afterWatch = () -> {};

  Line(Api server) {
    api =
        (Api)
            Proxy.newProxyInstance(
                Api.class.getClassLoader(),
                new Class<?>[] {Api.class},
                (line, method, arguments) -> {
                  if (method.getName().equals("by")) {
                    caller = Optional.of((Caller) arguments[0]);
                    return line;
                  }
                  if (cut) throw new ApiException.Unreachable("cut", new IOException());
                  if (WRITES.contains(method.getName())) {
                    var before = beforeWrite;
                    beforeWrite = () -> {};
                    before.run();
                  }
                  try {
                    var answer = method.invoke(server, arguments);
                    if (method.getName().equals("watch")) {
                      var after = afterWatch;
                      afterWatch = () -> {};
                      after.run();
                    }
                    return answer;
                  } catch (InvocationTargetException failed) {
                    throw failed.getCause();
                  }
                });
  }
}
