package dev.berth.node.health;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.csi.client.CsiException;
import dev.berth.csi.v1.NodeGetStorageHealthRequest;
import dev.berth.csi.v1.NodeServiceCapability.RPC;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.Patch;
import dev.berth.kube.fact.Source;
import dev.berth.kube.fact.Told;
import dev.berth.kube.loop.Effects;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.StorageHealth;
import dev.berth.kube.model.VolumeHealth;
import dev.berth.kube.object.Resources;
import dev.berth.kube.time.Time;
import dev.berth.node.driver.Drivers;
import dev.berth.node.health.StorageEffect.WriteStorage;
import dev.berth.volume.health.StorageReport;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// How drivers are asked for the storage behind them and the CSINode is told.
public final class StorageEffects implements Effects<StorageEffect> {
  private static final Logger log = LoggerFactory.getLogger(StorageEffects.class);
  private static final int FORBIDDEN = 403;

  private final Api api;
  private final Drivers drivers;
  private final Time time;
  private final Told<KnownStorage> known = new Told<>(KnownStorage.TOPIC);

  public StorageEffects(Api api, Drivers drivers, Time time) {
    this.api = api;
    this.drivers = drivers;
    this.time = time;
  }

  /// What is found out here.
  public Source<?> source() {
    return known;
  }

  @Override
  public void carryOut(StorageEffect effect) {
    switch (effect) {
      case StorageEffect.Ask(var driver) -> ask(driver);
      case StorageEffect.Forget(var driver) -> known.change(it -> it.without(driver));
      case WriteStorage write -> write(write);
    }
  }

  /// VH-11: a refusal says nothing.
  private void ask(String name) {
    var driver = drivers.find(name);
    if (driver.isEmpty()) return; // it is asked when it is there
    boolean speaks = true; // as long as nobody could say
    var said = known.now().of(name).flatMap(KnownStorage.Word::conditions);
    try {
      speaks = driver.get().can(RPC.Type.GET_STORAGE_HEALTH);
      if (speaks)
        said =
            StorageReport.of(
                    driver
                        .get()
                        .calls()
                        .nodeGetStorageHealth(NodeGetStorageHealthRequest.getDefaultInstance()))
                .or(() -> known.now().of(name).flatMap(KnownStorage.Word::conditions));
    } catch (CsiException failed) {
      log.debug("the storage of driver {} is not known: {}", name, failed.getMessage());
    }
    var word = new KnownStorage.Word(driver.get().registration(), time.now(), speaks, said);
    known.change(it -> it.with(name, word));
  }

  /// VH-16: a server may know no such status, keep nothing of it, or not all, or allow nobody to
  /// write it.
  private void write(WriteStorage effect) {
    var driver = effect.driver();
    var body = JsonNodeFactory.instance.objectNode();
    body.putObject("metadata").put("uid", effect.csiNode().uid());
    body.set("status", status(driver, effect.conditions().object()));
    if (isKept(effect, body)) {
      known.change(it -> it.keeping(driver));
      return;
    }
    log.warn(
        "the API server does not take the health of the storage of driver {} as it is: its gate"
            + " CSIVolumeHealth is off, or it is of another version",
        driver);
    var now = time.now();
    known.change(it -> it.dropping(driver, now));
  }

  /// Whether the object says what was sent: what is kept in part would else be sent at each look.
  private boolean isKept(WriteStorage effect, ObjectNode body) {
    try {
      var key = effect.csiNode().key();
      var after = api.patchStatus(Resources.CSI_NODES, key, Patch.strategic(body));
      var kept = Kinds.CSI_NODE.read().apply(after).storage();
      return WriteStorage.words(kept.getOrDefault(effect.driver(), List.of()))
          .equals(effect.says());
    } catch (ApiException refused) {
      if (!refused.isNotFound() && refused.code() != FORBIDDEN) throw refused;
      return false;
    }
  }

  /// A status that says this of one driver and leaves what it says of others: the one place where
  /// its form is written (VH-09).
  private static ObjectNode status(String driver, List<StorageHealth> conditions) {
    var status = JsonNodeFactory.instance.objectNode();
    var entry = status.putArray(StorageHealth.FIELD).addObject().put("name", driver);
    if (conditions.isEmpty()) {
      entry.put("$patch", "delete");
      return status;
    }
    var list = entry.putArray(VolumeHealth.LIST);
    for (var it : conditions) {
      var condition = list.addObject().put("status", it.status()).put("reason", it.reason());
      if (!it.message().isEmpty()) condition.put("message", it.message());
      if (!it.accessMode().isEmpty()) condition.put("accessMode", it.accessMode());
      if (!it.volumeMode().isEmpty()) condition.put("volumeMode", it.volumeMode());
      it.since()
          .ifPresent(since ->
              condition.put(
                  "lastTransitionTime", since.truncatedTo(ChronoUnit.SECONDS).toString()));
    }
    return status;
  }
}
