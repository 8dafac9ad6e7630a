package dev.berth.controller;

import dev.berth.kube.api.Api;
import java.lang.reflect.Proxy;

/// For controllers that are only asked to decide: decisions ask nobody.
public final class NoApi {
  public static final Api NO_API =
      (Api)
          Proxy.newProxyInstance(
              Api.class.getClassLoader(),
              new Class<?>[] {Api.class},
              (_, method, _) -> {
                throw new AssertionError("a decision called " + method);
              });

  private NoApi() {}
}
