"""Runs a job of a GitHub workflow or of a GitLab CI file as these systems do: its very commands, with their variables.

Steps that are actions are done here: checkout, upload-artifact and download-artifact. Rules that say when a job starts
are not looked at. Prints what the commands print. The exit code is 0 if the job passed, 1 if it failed, and 2 if the
file has something that this script does not know.

All paths are those inside of --root, a root folder in which the commands are run by chroot; without it, they are run
here. A web server serves --package and prints the requests that are posted to it, as "POST path body".
"""
import argparse
import contextlib
import hashlib
import http.server
import os
import re
import shutil
import subprocess
import sys
import threading
import yaml


class Unknown(Exception):
    pass


class Place:
    """Where commands run: a folder of the job, in a root folder or here."""

    def __init__(self, options):
        self.root = options.root or ""
        self.folder = os.path.join(options.work, "project")
        self.scratch = options.work
        shutil.rmtree(self.outside(self.folder), ignore_errors=True)
        os.makedirs(self.outside(self.folder))
        for name in ("home", "tmp"):
            os.makedirs(self.outside(os.path.join(self.scratch, name)), exist_ok=True)
        path = [options.path] if options.path else []
        self.base = {
            "PATH": ":".join(path + [os.environ["PATH"] if not self.root else "/usr/sbin:/usr/bin:/sbin:/bin"]),
            "HOME": os.path.join(self.scratch, "home"),
            "TMPDIR": os.path.join(self.scratch, "tmp"),
            "CI": "true",
        }

    def outside(self, path):
        return self.root + path

    def run(self, shell, text, variables):
        script = os.path.join(self.scratch, "step.sh")
        with open(self.outside(script), "w", encoding="utf-8") as file:
            file.write(text)
        command = ["sh", "-c", 'cd "$1" && shift && exec "$@"', "job", self.folder, *shell, script]
        if self.root:
            # A container has /proc.
            own = ["unshare", "--mount", "--pid", "--fork", f"--mount-proc={self.root}/proc"]
            command = [*own, "chroot", self.root, *command]
        sys.stdout.flush()
        return subprocess.run(command, env={**self.base, **variables}, stdin=subprocess.DEVNULL, check=False).returncode

    def clone(self, origin, branch, may_push):
        folder = self.outside(self.folder)
        subprocess.run(["git", "clone", "-q", "-b", branch, self.outside(origin), folder], check=True)
        set_url = ["git", "-C", folder, "remote", "set-url"]
        subprocess.run([*set_url, "origin", origin], check=True)
        if not may_push:
            subprocess.run([*set_url, "--push", "origin", "/no/credentials"], check=True)


def artifact(options, run, name):
    return os.path.join(options.artifacts, str(run), name)


def copy(source, target):
    os.makedirs(os.path.dirname(target), exist_ok=True)
    if os.path.isdir(source):
        shutil.copytree(source, target, dirs_exist_ok=True)
    else:
        shutil.copy(source, target)


def fill(value, values):
    """Replaces ${{ expressions }} by what --value says of them."""

    def one(match):
        if match.group(1) not in values:
            raise Unknown(f"unknown expression: {match.group(1)}")
        return values[match.group(1)]

    return re.sub(r"\$\{\{\s*(.*?)\s*\}\}", one, str(value))


def use_action(step, place, options, workflow, values):
    action, _, version = step["uses"].partition("@")
    if not re.fullmatch("[0-9a-f]{40}", version):
        raise Unknown(f"{step['uses']} is not pinned to a commit")
    given = {key: fill(value, values) for key, value in step.get("with", {}).items()}
    if action == "actions/checkout":
        keeps = given.get("persist-credentials", "True") != "False"
        place.clone(options.origin, options.branch, keeps and workflow["permissions"].get("contents") == "write")
        return True
    if action == "actions/upload-artifact":
        source = place.outside(os.path.join(place.folder, given["path"]))
        if os.path.exists(source):
            copy(source, artifact(options, options.run, given["name"]))
        return os.path.exists(source) or given.get("if-no-files-found") != "error"
    if action == "actions/download-artifact":
        if workflow["permissions"].get("actions") not in ("read", "write"):
            return False
        source = artifact(options, given.get("run-id", options.run), given["name"])
        if os.path.exists(source):
            copy(source, place.outside(os.path.join(place.folder, given["path"])))
        return os.path.exists(source)
    raise Unknown(f"unknown action: {action}")


def run_github(workflow, place, options, given, values):
    job = workflow["jobs"][options.job]
    if workflow["defaults"]["run"]["shell"] != "sh":
        raise Unknown("another shell than sh")
    summary = os.path.join(place.scratch, "step-summary.md")
    open(place.outside(summary), "w", encoding="utf-8").close()
    system = {"GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": place.folder, "GITHUB_STEP_SUMMARY": summary,
              "GITHUB_REF_NAME": options.branch, "GITHUB_REPOSITORY": "team/pictures", "GITHUB_ACTOR": "somebody"}
    passed = True
    for step in job["steps"]:
        condition = step.get("if", "${{ success() }}")
        if condition not in ("${{ success() }}", "${{ always() }}"):
            raise Unknown(f"unknown condition: {condition}")
        if not passed and condition == "${{ success() }}":
            continue
        if "uses" in step:
            passed = use_action(step, place, options, workflow, values) and passed
            continue
        if "${{" in step["run"]:
            raise Unknown("an expression becomes text of a script")
        variables = dict(system)
        for level in (workflow, job, step):
            variables.update({key: fill(value, values) for key, value in level.get("env", {}).items()})
        passed = place.run(["sh", "-e"], step["run"], {**variables, **given}) == 0 and passed
    return passed


def extended(whole, name):
    """Returns a job of GitLab with what it extends."""
    job = dict(whole[name])
    if "extends" in job:
        base = extended(whole, job.pop("extends"))
        job = {**base, **job, "variables": {**base.get("variables", {}), **job.get("variables", {})}}
    return job


def run_gitlab(whole, place, options, given):
    job = extended(whole, options.job)
    variables = {"GITLAB_CI": "true", "CI_PROJECT_DIR": place.folder, "CI_PIPELINE_ID": str(options.run),
                 "CI_MERGE_REQUEST_SOURCE_BRANCH_NAME": options.branch, "CI_SERVER_URL": "https://gitlab.example",
                 "CI_PROJECT_URL": "https://gitlab.example/team/pictures", "GITLAB_USER_NAME": "Somebody",
                 "GITLAB_USER_EMAIL": "somebody@gitlab.example", **whole.get("variables", {}), **job.get("variables", {}),
                 **given}
    if variables.get("GIT_STRATEGY") != "none":
        place.clone(options.origin, options.branch, False)
    for needed in job.get("needs", []):
        source = artifact(options, options.run, needed)
        if os.path.exists(source):
            copy(source, place.outside(place.folder))
    lines = job.get("before_script", []) + job["script"]
    text = "set -eo pipefail\n" + "\n".join(lines) + "\n"
    passed = place.run(["bash"], text, {key: str(value) for key, value in variables.items()}) == 0
    kept = job.get("artifacts", {})
    if passed or kept.get("when") == "always":
        for path in kept.get("paths", []) + list(kept.get("reports", {}).values()):
            source = place.outside(os.path.join(place.folder, path.rstrip("/")))
            if os.path.exists(source):
                copy(source, os.path.join(artifact(options, options.run, options.job), path.rstrip("/")))
    return passed


@contextlib.contextmanager
def web_server(package):
    """Serves the package, and takes all that is posted."""
    with open(package, "rb") as file:
        content = file.read()

    class Handler(http.server.BaseHTTPRequestHandler):
        def answer(self, body):
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_GET(self):
            self.answer(content)

        def do_POST(self):
            print("POST", self.path, self.rfile.read(int(self.headers["Content-Length"])).decode(), flush=True)
            self.answer(b"")

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}", hashlib.sha256(content).hexdigest()
        server.shutdown()


def pairs(items):
    return dict(item.split("=", 1) for item in items)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("file")
    parser.add_argument("job")
    parser.add_argument("--root", help="root folder for the commands")
    parser.add_argument("--work", required=True, help="folder of the job, inside of the root")
    parser.add_argument("--path", help="folders searched for programs before the others")
    parser.add_argument("--origin", required=True, help="repository, inside of the root")
    parser.add_argument("--branch", required=True)
    parser.add_argument("--artifacts", required=True, help="folder of the artifacts of all runs, outside of the root")
    parser.add_argument("--run", type=int, required=True, help="number of the run or pipeline")
    parser.add_argument("--package", required=True, help="the .deb, outside of the root")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a variable")
    parser.add_argument("--value", action="append", default=[], metavar="EXPRESSION=VALUE")
    options = parser.parse_args()
    with open(options.file, encoding="utf-8") as file:
        whole = yaml.safe_load(file)
    with web_server(options.package) as (address, digest):
        given = {"ODORI_DEB": address + "/odori.deb", "ODORI_DEB_SHA256": digest, "GITHUB_API_URL": address,
                 **pairs(options.set)}
        try:
            place = Place(options)
            if "jobs" in whole:
                passed = run_github(whole, place, options, given, pairs(options.value))
            else:
                passed = run_gitlab(whole, place, options, given)
        except Unknown as unknown:
            print(f"{options.file}: {unknown}", file=sys.stderr)
            return 2
    return 0 if passed else 1


sys.exit(main())
