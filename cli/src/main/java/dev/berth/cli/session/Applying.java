package dev.berth.cli.session;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.cli.Problem;
import dev.berth.cli.manifest.Manifest;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.Patch;
import dev.berth.kube.model.Commands;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import java.util.List;

/// Makes the server's objects as the manifests say: what is missing is created, what differs is
/// changed, what a manifest does not mention stays.
public final class Applying {
  /// What became of an object.
  public enum Outcome {
    CREATED("created"),
    CONFIGURED("configured"),
    UNCHANGED("unchanged"),
    LEAVING("is being deleted: apply it again when it has gone");

    private final String text;

    Outcome(String text) {
      this.text = text;
    }

    public String text() {
      return text;
    }
  }

  /// @param object as the server has it now
  public record Applied(Manifest manifest, Outcome outcome, ObjectNode object) {}

  private Applying() {}

  /// Checks nothing beforehand: the first object that is refused ends it, with the server's reason.
  public static List<Applied> all(Api api, List<Manifest> manifests) {
    return manifests.stream().map(manifest -> one(api, manifest)).toList();
  }

  public static Applied one(Api api, Manifest manifest) {
    try {
      try {
        return new Applied(
            manifest, Outcome.CREATED, api.create(manifest.resource(), manifest.object()));
      } catch (ApiException.LostRace lost) {
        if (!lost.nameTaken()) throw lost;
      }
      var before = api.get(manifest.resource(), manifest.key());
      var after = api.patch(manifest.resource(), manifest.key(), patch(manifest));
      return new Applied(manifest, outcome(before, after), after);
    } catch (ApiException.Unreachable lost) {
      throw lost;
    } catch (ApiException refused) {
      throw new Problem(manifest.title() + ": " + refused.getMessage() + advice(manifest, refused));
    }
  }

  /// A list of a manifest is the whole list. But a pod's volumes and mounts are told apart by their
  /// names and paths: the server has added the service account's token to them.
  private static Patch patch(Manifest manifest) {
    return manifest.resource().equals(Resources.PODS)
        ? Patch.strategic(manifest.object())
        : Patch.merge(manifest.object());
  }

  private static Outcome outcome(ObjectNode before, ObjectNode after) {
    if (after.path("metadata").hasNonNull("deletionTimestamp")) return Outcome.LEAVING;
    return version(before).equals(version(after)) ? Outcome.UNCHANGED : Outcome.CONFIGURED;
  }

  /// Nearly nothing of a pod or a claim can be changed, and the server does not say what to do
  /// then.
  private static String advice(Manifest manifest, ApiException refused) {
    if (refused.isNotFound() && manifest.resource().namespaced())
      return "\nput a Namespace of that name before it, or correct metadata.namespace or -n";
    var reason = String.valueOf(refused.getMessage());
    var delete = Commands.delete(Ref.of(manifest.resource(), manifest.key()));
    if (manifest.resource().equals(Resources.PODS) && reason.contains("pod updates may not change"))
      return "\nto change it all the same, delete it and apply again: " + delete;
    if (manifest.resource().equals(Resources.CLAIMS)
        && reason.contains("spec is immutable after creation"))
      return "\ndelete it and create it again; its data goes with it unless its volume's policy is"
          + " Retain: "
          + delete;
    return "";
  }

  private static String version(ObjectNode object) {
    return Json.text(object.path("metadata"), "resourceVersion");
  }
}
