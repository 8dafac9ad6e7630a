/// Rights by roles and bindings (spec/apiserver.md, API-11): rbac.authorization.k8s.io. Start at
/// [Rbac].
///
/// Always: a decision is made on the roles of the state that the request would be answered from, so
/// that whoever is given a right has it with the next request (`RbacTest`). Never: lets somebody
/// give what they do not have (`RbacTest`).
@NullMarked
package dev.berth.apiserver.rights.rbac;

import org.jspecify.annotations.NullMarked;
