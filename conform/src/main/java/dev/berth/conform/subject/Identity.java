package dev.berth.conform.subject;

import static dev.berth.conform.check.Check.check;
import static dev.berth.conform.trial.Rpcs.GET_PLUGIN_CAPABILITIES;
import static dev.berth.conform.trial.Rpcs.GET_PLUGIN_INFO;
import static dev.berth.conform.trial.Rpcs.PROBE;

import dev.berth.conform.check.Check;
import dev.berth.conform.trial.Ability;
import dev.berth.conform.trial.SkipException;
import dev.berth.conform.trial.Trial;
import dev.berth.csi.v1.GetPluginCapabilitiesRequest;
import dev.berth.csi.v1.GetPluginInfoRequest;
import dev.berth.csi.v1.GetPluginInfoResponse;
import dev.berth.csi.v1.PluginCapability;
import dev.berth.csi.v1.ProbeRequest;
import java.util.HashSet;
import java.util.List;
import java.util.regex.Pattern;

/// Who the driver is, and whether it is well.
final class Identity {
  private static final Pattern NAME =
      Pattern.compile("[A-Za-z]|[A-Za-z][-A-Za-z0-9.]{0,61}[A-Za-z]");

  static List<Check> checks() {
    return List.of(
        check(
                "identity.name",
                "The plugin's name is a domain name of at most 63 characters",
                "GetPluginInfo: name is REQUIRED, in domain name notation, 63 characters or less;"
                    + " csi-sanity asks for a letter at both ends")
            .covers("SAN-03")
            .asks(
                "choose a name like disk.example.com: letters, digits, dashes and dots, a letter at"
                    + " both ends",
                trial -> {
                  var name = info(trial).getName();
                  trial.require(
                      NAME.matcher(name).matches(),
                      "a name in domain name notation",
                      '"' + name + '"');
                }),
        check(
                "identity.version",
                "The plugin tells its version",
                "GetPluginInfo: vendor_version is REQUIRED")
            .asks(
                "stamp the build with a version",
                trial ->
                    trial.require(
                        !info(trial).getVendorVersion().isEmpty(),
                        "a vendor_version",
                        "an empty one")),
        check(
                "identity.capabilities",
                "Plugin capabilities are ones that CSI defines",
                "GetPluginCapabilities: each capability is one of the types that the specification"
                    + " defines; UNKNOWN is none")
            .covers("SAN-01")
            .asks("list no capability that CSI does not define", Identity::known),
        check(
                "identity.steady",
                "Name, version and capabilities do not change while the plugin runs",
                "GetPluginCapabilities: all instances of a version SHALL return the same set")
            .asks(
                "answer from what the program is, not from what happens to be configured or"
                    + " connected",
                Identity::steady),
        check(
                "identity.probe",
                "Probe says that the plugin is healthy",
                "Probe: OK with ready absent or true when the plugin is ready; FAILED_PRECONDITION"
                    + " when it is not healthy")
            .covers("SAN-02")
            .asks(
                "find out why the plugin reports that it is not ready, or wait until it is",
                trial -> {
                  var answer = trial.ok(PROBE, ProbeRequest.getDefaultInstance());
                  trial.require(
                      !answer.hasReady() || answer.getReady().getValue(),
                      "ready to be absent or true",
                      "ready is false");
                }),
        check(
                "identity.expansion",
                "Whoever advertises VolumeExpansion implements expanding",
                "GetPluginCapabilities: ONLINE needs EXPAND_VOLUME on controller or node; OFFLINE"
                    + " needs it on the controller")
            .asks(
                "advertise EXPAND_VOLUME on the services that expand, or leave VolumeExpansion out",
                Identity::expansion));
  }

  private static GetPluginInfoResponse info(Trial trial) {
    return trial.ok(GET_PLUGIN_INFO, GetPluginInfoRequest.getDefaultInstance());
  }

  private static void known(Trial trial) {
    var capabilities =
        trial
            .ok(GET_PLUGIN_CAPABILITIES, GetPluginCapabilitiesRequest.getDefaultInstance())
            .getCapabilitiesList();
    for (var capability : capabilities)
      trial.require(isKnown(capability), "only capabilities that CSI defines", capability);
  }

  private static boolean isKnown(PluginCapability capability) {
    return switch (capability.getTypeCase()) {
      case SERVICE -> Wire.isKnown(capability.getService().getType());
      case VOLUME_EXPANSION -> Wire.isKnown(capability.getVolumeExpansion().getType());
      case TYPE_NOT_SET -> false;
    };
  }

  private static void steady(Trial trial) {
    var first = info(trial);
    var again = info(trial);
    trial.require(first.equals(again), "the same answer twice", again);
    var request = GetPluginCapabilitiesRequest.getDefaultInstance();
    var before = trial.ok(GET_PLUGIN_CAPABILITIES, request);
    var after = trial.ok(GET_PLUGIN_CAPABILITIES, request);
    trial.require(
        new HashSet<>(before.getCapabilitiesList())
            .equals(new HashSet<>(after.getCapabilitiesList())),
        "the same capabilities twice",
        after);
  }

  private static void expansion(Trial trial) {
    var has = trial.advertised();
    var online = has.has(Ability.EXPANSION_ONLINE);
    var offline = has.has(Ability.EXPANSION_OFFLINE);
    if (!online && !offline) throw new SkipException("VolumeExpansion is not advertised");
    // A process of one service cannot show what the other one has.
    if (!has.has(Ability.CONTROLLER_SERVICE) || !has.has(Ability.NODE_SERVICE))
      throw new SkipException("the socket does not serve both Controller and Node");
    var controller = has.has(Ability.EXPAND_VOLUME);
    var node = has.has(Ability.NODE_EXPAND_VOLUME);
    trial.require(
        !online || controller || node, "EXPAND_VOLUME on controller or node", "on neither");
    trial.require(!offline || controller, "EXPAND_VOLUME on the controller", "none there");
  }

  private Identity() {}
}
