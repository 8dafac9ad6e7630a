package dev.berth.node.access;

import dev.berth.kube.api.ApiException;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import java.util.Set;

/// What an answer says of an object that is not there.
///
/// The Node authorizer lets a node get what its pods lead to. Nothing leads to a volume or an
/// attachment that does not exist, so it is refused before anybody looks for it, in words of their
/// own. Any other refusal, for want of rights or since whoever decides is down, says nothing of the
/// object.
final class Absence {
  private static final int FORBIDDEN = 403;
  private static final String UNRELATED = "no relationship found between node";
  private static final Set<Resource> LED_TO = Set.of(Resources.VOLUMES, Resources.ATTACHMENTS);

  private Absence() {}

  static boolean isForbidden(ApiException refused) {
    return refused.code() == FORBIDDEN;
  }

  /// Nothing of this node's leads to it: it does not exist, or the authorizer does not know of it
  /// yet, as after a server's start.
  static boolean isUnrelated(Resource resource, ApiException refused) {
    return isForbidden(refused)
        && LED_TO.contains(resource)
        && refused.getMessage().contains(UNRELATED);
  }
}
