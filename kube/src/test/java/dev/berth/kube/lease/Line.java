package dev.berth.kube.lease;

import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;

/// A line to a server that a test can cut, and on which it can do something right before a write
/// arrives.
final class Line {
  private static final List<String> WRITES = List.of("create", "update", "patch");

  final Api api;
  boolean cut;

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
                (_, method, arguments) -> {
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
