package dev.berth.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.ApiException.Details;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.ObjectKey;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;

class LiveTest {
  private static Live refusedWith(String reason, Details details) {
    var api =
        (Api)
            Proxy.newProxyInstance(
                Api.class.getClassLoader(),
                new Class<?>[] {Api.class},
                (_, _, _) -> {
                  throw ApiException.of(404, reason, "not found", details);
                });
    return new Live(api);
  }

  /// What depends on it forgets volumes and deletes pods.
  @Test
  void onlyTheServerCanSayThatAnObjectIsNotThere() {
    var node = ObjectKey.cluster("n");
    var server = refusedWith("NotFound", new Details("", "nodes", "n"));
    assertThat(server.find(Kinds.NODE, node)).isEmpty();
    var balancer = refusedWith("", Details.NONE);
    assertThatExceptionOfType(ApiException.class).isThrownBy(() -> balancer.find(Kinds.NODE, node));
  }
}
