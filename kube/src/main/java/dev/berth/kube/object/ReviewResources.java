package dev.berth.kube.object;

import java.util.List;

/// What is asked for and answered, and never stored: who somebody is, and what they may do.
public final class ReviewResources {
  public static final Resource TOKEN_REVIEWS = identity("tokenreviews", "TokenReview");
  public static final Resource SELF_SUBJECT_REVIEWS =
      identity("selfsubjectreviews", "SelfSubjectReview");
  public static final Resource ACCESS_REVIEWS =
      rights("subjectaccessreviews", "SubjectAccessReview", false);
  public static final Resource LOCAL_ACCESS_REVIEWS =
      rights("localsubjectaccessreviews", "LocalSubjectAccessReview", true);
  public static final Resource SELF_ACCESS_REVIEWS =
      rights("selfsubjectaccessreviews", "SelfSubjectAccessReview", false);
  public static final Resource SELF_RULES_REVIEWS =
      rights("selfsubjectrulesreviews", "SelfSubjectRulesReview", false);

  /// All of them.
  public static final List<Resource> ALL =
      List.of(
          TOKEN_REVIEWS,
          SELF_SUBJECT_REVIEWS,
          ACCESS_REVIEWS,
          LOCAL_ACCESS_REVIEWS,
          SELF_ACCESS_REVIEWS,
          SELF_RULES_REVIEWS);

  private ReviewResources() {}

  private static Resource identity(String plural, String kind) {
    return new Resource("authentication.k8s.io", "v1", plural, kind, false);
  }

  private static Resource rights(String plural, String kind, boolean namespaced) {
    return new Resource("authorization.k8s.io", "v1", plural, kind, namespaced);
  }
}
