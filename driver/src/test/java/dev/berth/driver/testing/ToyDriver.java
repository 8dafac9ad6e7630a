package dev.berth.driver.testing;

import dev.berth.driver.model.AccessMode;
import dev.berth.driver.model.UsageSupport;
import dev.berth.driver.model.UsageSupport.MountGroup;
import dev.berth.driver.spi.Driver;
import dev.berth.driver.spi.PluginInfo;
import dev.berth.driver.spi.Readiness;
import dev.berth.driver.spi.SecretKeys;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// A driver in memory, with all capabilities or some of them.
public final class ToyDriver implements Driver {
  public final ToyController controller = new ToyController(this::hook);
  public final ToyNode node = new ToyNode(this::hook);
  public volatile Hook hook = _ -> {};
  public volatile Readiness readiness = new Readiness.Ready();
  public volatile SecretKeys secretKeys = SecretKeys.NONE;
  public UsageSupport usages =
      new UsageSupport(
          EnumSet.allOf(AccessMode.class),
          EnumSet.allOf(AccessMode.class),
          Set.of("ext4"),
          MountGroup.NOT_SUPPORTED);
  private List<?> parts = List.of(controller, node);

  /// One that has only these capabilities.
  public static ToyDriver with(Class<?>... capabilities) {
    var driver = new ToyDriver();
    var parts = new ArrayList<Object>();
    for (var capability : capabilities)
      parts.add(
          only(capability, capability.isInstance(driver.node) ? driver.node : driver.controller));
    driver.parts = parts;
    return driver;
  }

  private static Object only(Class<?> capability, Object all) {
    return Proxy.newProxyInstance(
        capability.getClassLoader(),
        new Class<?>[] {capability},
        (_, method, arguments) -> {
          try {
            return method.invoke(all, arguments);
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        });
  }

  private void hook(String operation) throws IOException {
    hook.on(operation);
  }

  @Override
  public PluginInfo info() {
    return new PluginInfo("toy.example.com", "1.2.3");
  }

  @Override
  public UsageSupport usages() {
    return usages;
  }

  @Override
  public Readiness readiness() {
    return readiness;
  }

  @Override
  public SecretKeys secretKeys() {
    return secretKeys;
  }

  @Override
  public List<?> parts() {
    return parts;
  }
}
